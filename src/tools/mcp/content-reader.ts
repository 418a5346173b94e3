import { isDeepStrictEqual } from 'node:util';
import type { CallScope } from '../../core/context.js';
import { mcpNumbers } from '../../core/fixed-limits.js';
import type { Limits } from '../../core/limits.js';
import { sniffMediaType } from '../../core/media/sniff.js';
import { ifPossible, isRecord } from '../../core/support/check-values.js';
import { cutMiddle } from '../../core/text/cut.js';
import { escapeLine } from '../../core/text/escape-for-people.js';
import { jsonSafe } from '../../core/text/json-safe.js';
import { formatSize } from '../../core/text/lines-and-sizes.js';
import { terminalText } from '../../core/text/terminal.js';
import type { Attachment } from '../../core/tool-result.js';
import { fitImage, imageAttachment, isSendableImage } from '../../files/media/read-image.js';
import type { ImageResizer } from '../../ports/image-resizer.js';

/** Limits and storage for the content of an MCP server. */
export interface McpContentOptions {
  readonly limits: Pick<Limits, 'read' | 'mcp'>;
  readonly images: ImageResizer | undefined;
  /** Stores bytes in a private file that Read can open, and returns the path. Default: the bytes are dropped. */
  readonly saveBytes: ((bytes: Uint8Array) => Promise<string>) | undefined;
}

type BytesTarget = 'shown' | 'saved';

const { maxAttachments, maxParts, maxLineChars } = mcpNumbers;
const textual = /^text\/|[/+](?:json|xml|yaml|javascript)(?:;|$)/i;

/** Text of a server in one line, with control characters escaped. */
export function mcpLine(text: unknown, maxChars: number = maxLineChars): string {
  return escapeLine(typeof text === 'string' ? text : '', maxChars);
}

/**
 * Collects the content of a server's answer up to the limits: the text in order, and the attachments. Accepts an answer
 * of any shape.
 */
export class McpContentReader {
  readonly attachments: Attachment[] = [];
  readonly #options: McpContentOptions;
  readonly #scope: CallScope;
  readonly #texts: string[] = [];
  readonly #parts: string[] = [];
  #blocks: readonly unknown[] = [];
  #room: number;

  constructor(options: McpContentOptions, scope: CallScope) {
    this.#options = options;
    this.#scope = scope;
    this.#room = options.limits.mcp.maxResultChars;
  }

  get output(): string {
    return this.#parts.join('\n');
  }

  /** Adds the content of a tool result. Pass `saved` for an error, which cannot have attachments. */
  async addContent(content: unknown, bytesTarget: BytesTarget = 'shown'): Promise<void> {
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
    this.#blocks = blocks;
    for (const block of blocks.slice(0, maxParts)) {
      this.#scope.signal.throwIfAborted();
      await this.#addBlock(isRecord(block) ? block : {}, bytesTarget);
    }
    if (blocks.length > maxParts) this.#add(`[${blocks.length - maxParts} more parts are left out]`);
  }

  /** Adds the structured content unless the text already contains the same data. Returns a copy that is plain JSON. */
  addStructured(content: unknown): unknown {
    const bounds = { maxDepth: 64, maxChars: this.#options.limits.mcp.maxResultChars, maxItems: 100_000 };
    const { copy } = jsonSafe(content, (text) => text, bounds);
    // Some servers wrap a value such as a number in an object, and also send the bare value as text.
    const fields = isRecord(copy) ? Object.values(copy) : [];
    const same = fields.length === 1 ? [copy, fields[0]] : [copy];
    const isSaid = same.some(
      (value) =>
        (this.#blocks.length > 0 && isDeepStrictEqual(value, this.#blocks)) ||
        this.#texts.some(
          (text) =>
            value === text ||
            isDeepStrictEqual(
              value,
              ifPossible(() => JSON.parse(text)),
            ),
        ),
    );
    // `null` is added only if there is no other content.
    if (!isSaid && (copy !== null || this.#parts.length === 0))
      this.#addText(typeof copy === 'string' && copy !== '' ? copy : JSON.stringify(copy, undefined, 2));
    return copy;
  }

  /**
   * Adds the content of a resource; its bytes are `saved` to a file, or `shown` as an attachment if possible. Returns
   * the path of the file, if any.
   */
  async addResource(resource: unknown, bytesTarget: BytesTarget = 'shown'): Promise<string | undefined> {
    const { uri, mimeType, text, blob } = isRecord(resource) ? resource : {};
    const name = `Resource ${mcpLine(uri)}`;
    if (typeof text === 'string') this.#addText(`${name}:\n${text}`);
    else if (typeof blob !== 'string') this.#add(`[${name} has no content]`);
    else if (typeof mimeType === 'string' && textual.test(mimeType))
      this.#addText(`${name}:\n${Buffer.from(blob, 'base64').toString('utf8')}`);
    else return await this.#addBytes(name, blob, mimeType, bytesTarget);
    return undefined;
  }

  async #addBlock(block: Readonly<Record<string, unknown>>, bytesTarget: BytesTarget): Promise<void> {
    const { type, text, data, mimeType, uri, name, title, description } = block;
    if (type === 'text' && typeof text === 'string') this.#addText(text);
    else if ((type === 'image' || type === 'audio') && typeof data === 'string')
      await this.#addBytes(type === 'image' ? 'Image' : 'Audio', data, mimeType, bytesTarget);
    else if (type === 'resource') await this.addResource(block.resource, bytesTarget);
    else if (type === 'resource_link' && typeof uri === 'string') {
      const about = [title ?? name, description].filter((one) => typeof one === 'string').map((one) => mcpLine(one));
      this.#add(`[Resource ${mcpLine(uri)}${about.length === 0 ? '' : ` (${about.join(': ')})`}; see ReadMcpResource]`);
    } else this.#add(`[A part of an unknown or invalid type (${mcpLine(type, 50) || 'none'}) is left out]`);
  }

  async #addBytes(
    name: string,
    data: string,
    declared: unknown,
    bytesTarget: BytesTarget,
  ): Promise<string | undefined> {
    const { limits, images } = this.#options;
    const { maxImageBytes, maxImageBase64Chars } = limits.read;
    const size = formatSize(Math.floor((data.length * 3) / 4));
    if (data.length > (maxImageBytes / 3) * 4) {
      this.#add(`[${name} is too large to be kept: ${size}]`);
      return undefined;
    }
    const bytes = Buffer.from(data, 'base64');
    const mediaType = sniffMediaType(bytes)?.type ?? mediaTypeOf(declared);
    const isShown = bytesTarget === 'shown' && this.attachments.length < maxAttachments;
    if (isShown && isSendableImage(mediaType)) {
      const fit = await fitImage({ mediaType, bytes }, images, limits.read, this.#scope);
      if (fit.kind === 'sent') this.attachments.push(imageAttachment(fit.image, name));
      if (fit.kind === 'damaged') this.#add(`[${name} is cut off or damaged (${mediaType}, ${size})]`);
      if (fit.kind === 'sent') this.#add(`[${name}: ${fit.image.mediaType}]`);
      if (fit.kind !== 'too_large') return undefined;
    } else if (isShown && mediaType.startsWith('audio/') && bytes.length > 0 && data.length <= maxImageBase64Chars) {
      this.attachments.push(imageAttachment({ mediaType, bytes }, name));
      this.#add(`[${name}: ${mediaType}]`);
      return undefined;
    }
    return await this.#save(`${name}: ${mediaType}, ${size}`, bytes);
  }

  async #save(what: string, bytes: Uint8Array): Promise<string | undefined> {
    const path = await this.#options.saveBytes?.(bytes);
    this.#add(
      path === undefined ? `[${what}; it cannot be shown]` : `[${what}, in ${path}; Read shows images and PDF]`,
    );
    return path;
  }

  #addText(text: string): void {
    const cut = cutMiddle(text, this.#room);
    this.#room = Math.max(0, this.#room - text.length);
    const kept = cut === undefined ? text : `${cut.head}\n[${cut.omitted} characters are left out]\n${cut.tail}`;
    const plain = terminalText(kept);
    this.#texts.push(plain);
    this.#parts.push(plain);
  }

  #add(line: string): void {
    this.#parts.push(line);
  }
}

function mediaTypeOf(declared: unknown): string {
  const isOne = typeof declared === 'string' && /^[\w!#$&^.+-]{1,60}\/[\w!#$&^.+-]{1,60}$/.test(declared);
  return isOne ? declared.toLowerCase() : 'application/octet-stream';
}
