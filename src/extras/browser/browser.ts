import type { CallScope } from '../../core/context.js';

/** Who asks a browser, when to stop, and where its pages may go. */
export interface BrowserScope extends CallScope {
  /** Asked with the address of each host that a page wants to reach; the browser refuses what it says no to. */
  mayVisit(url: string): boolean;
  /** Stores what a page downloads, and answers with the path by which the caller reads it. Default: downloads are refused. */
  readonly keep?: ((bytes: Uint8Array) => Promise<string>) | undefined;
}

/** A page as it stands after an action. */
export interface PageState {
  /** The name of its tab, such as `t1`. */
  readonly tab: string;
  readonly url: string;
  /** As the page has it; empty for none. */
  readonly title: string;
  /** What happened since the last answer, one sentence each: dialogs, new tabs, refused requests. */
  readonly notes: readonly string[];
}

/** What a page is told to do. Without `tab` it is the current one: the tab that was opened or named last. */
export type PageAction = { readonly tab?: string | undefined } & (
  | { readonly kind: 'click'; readonly ref: string }
  /** Puts the text in the place of what the field holds. */
  | { readonly kind: 'type'; readonly ref: string; readonly text: string }
  /** Presses a key such as `Enter` or `Control+a`, on an element or on the page. */
  | { readonly kind: 'press'; readonly key: string; readonly ref?: string | undefined }
  /** Chooses an option of a list by its value or its label. */
  | { readonly kind: 'select'; readonly ref: string; readonly value: string }
  /** Brings an element into view, or moves the page by pixels, down for a number above 0. */
  | { readonly kind: 'scroll'; readonly ref: string }
  | { readonly kind: 'scroll'; readonly pixels: number }
  /** Waits until a text is shown, or for a time. */
  | { readonly kind: 'wait'; readonly text: string }
  | { readonly kind: 'wait'; readonly ms: number }
);

/** What is to be captured of a page. */
export interface PageCapture {
  readonly form: 'screenshot' | 'pdf';
  readonly tab?: string | undefined;
  /** Only this element of a screenshot. */
  readonly ref?: string | undefined;
  /** The whole page in place of what a window shows of it. Default false. */
  readonly fullPage?: boolean | undefined;
  /** What the bytes may come to; a screenshot may be made coarser to keep to it. */
  readonly maxBytes: number;
}

/**
 * A browser whose sessions know nothing of each other; the session is that of the caller. References come from the last
 * snapshot; one that leads to no element any more is a ToolError `no_match`. An unknown tab is one too. Dialogs are
 * answered with no. The signal of the scope ends what is being loaded.
 */
export interface Browser {
  /** Opens an address in a tab, in a new one for the tab `new`. Rejects with `url_blocked` for what may not be visited. */
  open(request: { readonly url: string; readonly tab?: string | undefined }, scope: BrowserScope): Promise<PageState>;
  /** The accessibility tree as text, with a reference for each element that can be used. */
  snapshot(
    request: { readonly tab?: string | undefined },
    scope: BrowserScope,
  ): Promise<PageState & { readonly text: string }>;
  act(request: PageAction, scope: BrowserScope): Promise<PageState>;
  capture(
    request: PageCapture,
    scope: BrowserScope,
  ): Promise<PageState & { readonly mediaType: string; readonly bytes: Uint8Array }>;
  /** What an expression in JavaScript comes to in the page, as JSON. */
  evaluate(
    request: { readonly expression: string; readonly tab?: string | undefined },
    scope: BrowserScope,
  ): Promise<PageState & { readonly text: string }>;
  /** The tabs of the session; none before the first `open`. */
  tabs(scope: BrowserScope): Promise<readonly Omit<PageState, 'notes'>[]>;
  /** Closes a tab, or the whole session without one. */
  close(request: { readonly tab?: string | undefined }, scope: BrowserScope): Promise<void>;
  /** Closes everything of a session. Resolves when it is gone. */
  endSession(sessionId: string): Promise<void>;
}
