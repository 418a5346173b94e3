import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { nextTurn } from '../../core/support/timers.js';
import { rawTexts } from './elements.js';
import { linkAddresses } from './link-addresses.js';
import { HtmlReader } from './reader.js';

/** Options of {@link htmlToMarkdown}. */
export interface HtmlOptions {
  /** URL of the page; relative links are resolved against it. */
  readonly baseUrl?: string | undefined;
  /** Whether to convert only the main content, if the page marks it. */
  readonly main?: boolean | undefined;
}

// Converting a chunk of this size takes a few milliseconds.
const chunkChars = 65_536;

/** Converts HTML to Markdown: the text that a browser shows, without scripts and hidden parts. Never throws. */
export function htmlToMarkdown(html: string, options: HtmlOptions = {}): string {
  const steps = read(html, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Like {@link htmlToMarkdown}, but yields to the event loop between chunks. */
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
  const reader = new HtmlReader(linkAddresses(baseUrl, html.length));
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
    // The tokenizer copies an unfinished token with each chunk. Chunks grow with that token, to avoid quadratic time.
    const waiting = tokenizer.preprocessor.html.length;
    const end = at + Math.max(chunkChars, waiting >> 4);
    tokenizer.write(html.slice(at, end), end >= html.length);
    at = end;
    yield;
  }
  return reader.finish(main);
}
