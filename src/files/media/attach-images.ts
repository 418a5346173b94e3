import type { CallScope } from '../../core/context.js';
import { sniffMediaType } from '../../core/media/media-type.js';
import type { Attachment } from '../../core/tool.js';
import type { ImageResizer, StoredImage } from '../../ports/image-resizer.js';
import { fitImage, type ImageFit, type ImageLimits, imageAttachment, isSendableImage } from './read-image.js';

const damaged: ImageFit = { kind: 'damaged' };
const tooLarge: ImageFit = { kind: 'too_large' };

/** Attaches the images that a model can see, judged by their bytes; a notice lists the others. */
export async function attachImages(
  images: Iterable<{ readonly bytes: Uint8Array; readonly name: string }>,
  resizer: ImageResizer | undefined,
  limits: ImageLimits,
  scope: CallScope,
) {
  const fitted = (image: StoredImage) => fitImage(image, resizer, limits, scope).catch(() => tooLarge);
  const attachments: Attachment[] = [];
  const omitted: string[] = [];
  for (const { bytes, name } of images) {
    scope.signal.throwIfAborted();
    const mediaType = sniffMediaType(bytes)?.type;
    const fit = isSendableImage(mediaType) ? await fitted({ mediaType, bytes }) : damaged;
    if (fit.kind === 'sent') attachments.push(imageAttachment(fit.image, name));
    else omitted.push(`${name} (${fit.kind === 'damaged' ? 'cut off or damaged' : 'too large for a model'})`);
  }
  return { attachments, notices: omitted.length === 0 ? [] : [`[Not attached: ${omitted.join(', ')}]`] };
}
