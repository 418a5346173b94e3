import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { nextTurn } from '../../core/support/timer.js';
import { rawTexts } from './elements.js';
import { HtmlReader } from './html-reader.js';
import { LinkAddresses } from './link-addresses.js';

/** How a page is read. */
export interface HtmlOptions {
  /** Where the page is from: links become absolute with it. */
  readonly baseUrl?: string | undefined;
  /** Only the part that the page is about, where it says which that is. */
  readonly main?: boolean | undefined;
}

// As much as takes a few milliseconds.
const chunkChars = 65_536;

/**
 * The text of an HTML page as Markdown: what a browser would show, without scripts and hidden parts. It never fails.
 */
export function htmlToMarkdown(html: string, options: HtmlOptions = {}): string {
  const steps = read(html, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same in steps between which others get their turn. */
export async function readHtml(html: string, options: HtmlOptions, signal?: AbortSignal): Promise<string> {
  const steps = read(html, options);
  for (;;) {
    signal?.throwIfAborted();
    const { done, value } = steps.next();
    if (done === true) return value;
    await nextTurn();
  }
}

function* read(html: string, { baseUrl, main = false }: HtmlOptions): Generator<undefined, string> {
  const reader = new HtmlReader(new LinkAddresses(baseUrl, html.length));
  const nothing = () => undefined;
  const tokenizer = new Tokenizer(
    {},
    {
      onCharacter: ({ chars }) => reader.text(chars, false),
      onWhitespaceCharacter: ({ chars }) => reader.text(chars, true),
      onNullCharacter: nothing,
      onComment: nothing,
      onDoctype: nothing,
      onEof: nothing,
      onParseError: null,
      onStartTag(tag: Token.TagToken) {
        reader.start(tag);
        const mode = reader.isForeign ? undefined : rawTexts.get(tag.tagName);
        if (mode !== undefined) tokenizer.state = TokenizerMode[mode];
        tokenizer.inForeignNode = reader.isForeign;
      },
      onEndTag(tag: Token.TagToken) {
        reader.end(tag);
        tokenizer.inForeignNode = reader.isForeign;
      },
    },
  );
  for (let at = 0; at < html.length; ) {
    // What is left of a token that has not ended is copied with each chunk: the longer it is, the longer the chunks.
    const waiting = tokenizer.preprocessor.html.length;
    const end = at + Math.max(chunkChars, waiting >> 4);
    tokenizer.write(html.slice(at, end), end >= html.length);
    at = end;
    yield;
  }
  return reader.finish(main);
}
