import type { Attachment } from '../core/tool.js';

/** Image types that both wire formats show to a model. */
export type ImageMediaType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] satisfies ImageMediaType[];

// Anthropic's published limit for one image, counted on its base64 text; a larger one fails every later request of the
// conversation.
const maxImageChars = 5 * 1024 * 1024;

/** An attachment that can be sent as an image: a type that models see, sound base64, not too large. */
export function isSendableImage(
  attachment: Attachment,
): attachment is Attachment & { readonly mediaType: ImageMediaType } {
  return (
    imageTypes.includes(attachment.mediaType) && attachment.data.length <= maxImageChars && isBase64(attachment.data)
  );
}

/** An attachment that can be sent as a PDF document. */
export function isSendablePdf({ mediaType, data }: Attachment): boolean {
  return mediaType === 'application/pdf' && isBase64(data);
}

// Looks for one wrong character: a pattern for the whole would remember a place for each, and run out of them in a
// large document.
function isBase64(data: string): boolean {
  return data.length > 0 && data.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(data.replace(/={1,2}$/, ''));
}
