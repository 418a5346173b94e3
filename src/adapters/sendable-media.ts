import type { Attachment } from '../core/tool-result.js';

/** Image types that all providers support. */
export type ImageMediaType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] satisfies ImageMediaType[];

// Anthropic's published limit for the base64 text of one image; a larger image would fail every later request of the
// conversation.
const maxImageChars = 5 * 1024 * 1024;

/** Whether an attachment can be sent as an image: a supported type, valid base64, not too large. */
export function isSendableImage(
  attachment: Attachment,
): attachment is Attachment & { readonly mediaType: ImageMediaType } {
  return (
    imageTypes.includes(attachment.mediaType) && attachment.data.length <= maxImageChars && isBase64(attachment.data)
  );
}

/** Whether an attachment can be sent as a PDF document. */
export function isSendablePdf({ mediaType, data }: Attachment): boolean {
  return mediaType === 'application/pdf' && isBase64(data);
}

// Searches for one invalid character: a pattern for the whole text would overflow the regular expression stack on a
// large document.
function isBase64(data: string): boolean {
  return data.length > 0 && data.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(data.replace(/={1,2}$/, ''));
}
