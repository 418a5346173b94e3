import type { CallScope } from '../../core/context.js';

/** The caller and signal of an action, and the permissions of pages. */
export interface BrowserScope extends CallScope {
  /** Whether pages may reach the host of an address. If false, the browser refuses requests to this host. */
  mayVisit(url: string): boolean;
  /** Stores a download. Resolves with the path for the tool Read. Default: downloads are refused. */
  readonly keep?: ((bytes: Uint8Array) => Promise<string>) | undefined;
}

/** The state of a page after an action. */
export interface PageState {
  /** The name of the tab, such as `t1`. */
  readonly tab: string;
  readonly url: string;
  /** The title of the page; may be empty. */
  readonly title: string;
  /** Events since the last action, one sentence each: dialogs, new tabs, downloads, refused requests. */
  readonly notes: readonly string[];
}

/** An action on a page. Default for `tab`: the current tab, which is the last tab that was opened or named. */
export type PageAction = { readonly tab?: string | undefined } & (
  | { readonly kind: 'click'; readonly ref: string }
  /** Replaces the content of a field. */
  | { readonly kind: 'type'; readonly ref: string; readonly text: string }
  /** Presses a key such as `Enter` or `Control+a` on an element or on the page. */
  | { readonly kind: 'press'; readonly key: string; readonly ref?: string | undefined }
  /** Selects an option of a list by its value or label. */
  | { readonly kind: 'select'; readonly ref: string; readonly value: string }
  /** Scrolls an element into view, or the page by pixels; positive numbers scroll down. */
  | { readonly kind: 'scroll'; readonly ref: string }
  | { readonly kind: 'scroll'; readonly pixels: number }
  /** Waits until the page shows a text, or for a number of milliseconds. */
  | { readonly kind: 'wait'; readonly text: string }
  | { readonly kind: 'wait'; readonly ms: number }
);

/** A screenshot or PDF of a page. */
export interface PageCapture {
  readonly form: 'screenshot' | 'pdf';
  readonly tab?: string | undefined;
  /** The element to capture in a screenshot. Default: the window. */
  readonly ref?: string | undefined;
  /** Captures the whole page instead of the window. Default false. */
  readonly fullPage?: boolean | undefined;
  /** A screenshot above this limit may be compressed with loss. */
  readonly maxBytes: number;
}

/**
 * A browser in which each session has its own tabs. Element references come from the last snapshot. Methods
 * reject with `no_match` for a stale reference or an unknown tab. Dialogs are dismissed. The signal stops loading.
 */
export interface Browser {
  /** Opens an address in a tab; `new` opens a new tab. Rejects with `url_blocked` for a forbidden address. */
  open(request: { readonly url: string; readonly tab?: string | undefined }, scope: BrowserScope): Promise<PageState>;
  /** The accessibility tree as text, with references for the elements. */
  snapshot(
    request: { readonly tab?: string | undefined },
    scope: BrowserScope,
  ): Promise<PageState & { readonly text: string }>;
  act(request: PageAction, scope: BrowserScope): Promise<PageState>;
  capture(
    request: PageCapture,
    scope: BrowserScope,
  ): Promise<PageState & { readonly mediaType: string; readonly bytes: Uint8Array }>;
  /** The value of a JavaScript expression in the page, as JSON. */
  evaluate(
    request: { readonly expression: string; readonly tab?: string | undefined },
    scope: BrowserScope,
  ): Promise<PageState & { readonly text: string }>;
  /** The tabs of the session; none before the first `open`. */
  tabs(scope: BrowserScope): Promise<readonly Omit<PageState, 'notes'>[]>;
  /** Closes one tab, or the whole session if `tab` is missing. */
  close(request: { readonly tab?: string | undefined }, scope: BrowserScope): Promise<void>;
  /** Closes a session with all its tabs. Resolves when they are closed. */
  endSession(sessionId: string): Promise<void>;
}
