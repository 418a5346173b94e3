import { ToolError } from '../../core/error.js';
import { answeredWithin, onAbort, waitFor } from '../../core/support/timers.js';
import { parseAddress } from '../../core/support/urls.js';
import { checkedUrl, type ReachableHosts } from '../../web/fetch/address-guard.js';
import type { BrowserScope, PageState } from './browser.js';
import type { GuardedProxy } from './guarded-proxy.js';
import { browserFailure, type Context, type Locator, type Page } from './playwright.js';
import { sessionDownloads } from './session-downloads.js';

const maxTabs = 10;
const maxNotes = 20;
/** Time limit for an element to become usable. */
const elementMs = 5_000;
/** Time for a script to react to an action. */
const reactionMs = 200;
/** Time limit for a page to load after an action that may have opened it. */
const settleMs = 3_000;
/** Time limit for a page to respond. A slower page counts as blocked by a script. */
const answerMs = 2_000;

/** The tabs of one session, and notes about events in them. */
export class ChromiumSession {
  readonly #context: Context;
  readonly #proxy: GuardedProxy;
  readonly #hosts: ReachableHosts;
  readonly #tabs = new Map<string, Page>();
  #notes: string[] = [];
  #refused: ToolError | undefined;
  /** Stops the active action. */
  #stop: ((error: ToolError) => void) | undefined;
  #current = '';
  #count = 0;
  /** Hosts that permissions allowed the caller to open. */
  readonly #opened = new Set<string>();
  #mayVisit: BrowserScope['mayVisit'] = () => false;
  #keep: BrowserScope['keep'];
  readonly #downloads = sessionDownloads((note) => this.#note(note));

  constructor(context: Context, proxy: GuardedProxy, hosts: ReachableHosts) {
    this.#context = context;
    this.#proxy = proxy;
    this.#hosts = hosts;
    context.on('page', (page) => this.#add(page));
  }

  /** Whether pages may reach the host of an address, by the rules of the last caller. */
  mayVisit(url: string): boolean {
    return this.#opened.has(parseAddress(url)?.hostname ?? '') || this.#mayVisit(url);
  }

  /** Handles a connection that the proxy refused. A page that sends too much data stops the active action. */
  refused(error: ToolError): void {
    if (error.code === 'file_too_large') this.#stop?.(error);
    // The page itself shows other failures.
    if (error.code !== 'url_blocked') return;
    this.#refused ??= error;
    this.#note(`Refused: ${error.message}`);
  }

  /**
   * Runs an action on a page, and adds the state of the page to its answer. The signal of the scope stops the action
   * and the loading of the page.
   */
  async on<Answer extends object | void>(
    tab: string | undefined,
    what: string,
    { signal, mayVisit, keep }: BrowserScope,
    act: (page: Page, session: this) => Promise<Answer>,
  ): Promise<PageState & Answer> {
    signal.throwIfAborted();
    this.#mayVisit = mayVisit;
    this.#keep = keep;
    this.#proxy.renewAllowance();
    const page = this.#page(tab);
    const stopped = new Promise<never>((_, reject) => {
      this.#stop = (error) => {
        reject(error);
        void this.#stopLoading(page);
      };
    });
    const release = onAbort(signal, () => this.#stop?.(new ToolError('interrupted', `${what} was interrupted.`)));
    try {
      const answer = await Promise.race([stopped, act(page, this)]);
      return { ...(await this.#state(page)), ...answer };
    } catch (thrown) {
      throw browserFailure(thrown, what);
    } finally {
      release();
      this.#stop = undefined;
    }
  }

  async open(url: string, tab: string | undefined, scope: BrowserScope): Promise<PageState> {
    const { hostname, href } = checkedUrl(url, this.#hosts);
    this.#opened.add(hostname);
    this.#refused = undefined;
    const isNew = tab === 'new' || (tab === undefined && !this.#tabs.has(this.#current));
    let name = tab;
    if (isNew) {
      if (this.#tabs.size >= maxTabs)
        throw new ToolError('limit_reached', `${maxTabs} tabs are open. Close one of them first.`);
      name = this.#nameOf(await this.#context.newPage());
    }
    return await this.on(name, `Opening ${hostname}`, scope, async (page) => {
      const announced = nextOf(page, 'download');
      const arrived = nextOf(page, 'framenavigated');
      const go = () => page.goto(href, { waitUntil: 'domcontentloaded', timeout: 0, signal: scope.signal });
      try {
        await go().catch(async (thrown: unknown) => {
          const [, to] = /by another navigation to "([^"]*)/.exec(String(thrown)) ?? [];
          // A script navigated elsewhere, or the error page of an earlier failure arrived late.
          if (to === undefined) throw thrown;
          await (to.startsWith('chrome-error:') ? go() : this.settle(page, scope));
          return null;
        });
      } catch (thrown) {
        // The download event follows the failure.
        if (/Download is starting/.test(String(thrown))) return void (await answeredWithin(announced.event, answerMs));
        // The error page arrives later, and would interrupt the next navigation.
        if (/net::ERR_(?!ABORTED)/.test(String(thrown))) await answeredWithin(arrived.event, answerMs);
        this.#unopened(thrown, hostname, page);
      } finally {
        announced.forget();
        arrived.forget();
      }
    });
  }

  /** The element that a reference names. Throws `no_match` if the page has no such element. */
  async element(page: Page, ref: string): Promise<Locator> {
    const element = page.getByRef(ref);
    const count = /^(?:f\d+)?e\d+$/.test(ref) ? await element.count().catch(() => 0) : 0;
    if (count === 1) return element;
    const why = 'the page has no such element any more. Take a new snapshot.';
    throw new ToolError('no_match', `The reference ${ref} is stale: ${why}`);
  }

  /** Time limit and signal for an operation on an element. */
  step({ signal }: BrowserScope): { readonly timeout: number; readonly signal: AbortSignal } {
    return { timeout: elementMs, signal };
  }

  /** Waits for a navigation or a new tab that an action may have caused. */
  async settle(page: Page, { signal }: BrowserScope): Promise<void> {
    // No event announces that a navigation or a new tab follows.
    await waitFor(reactionMs);
    await page.waitForLoadState('domcontentloaded', { timeout: settleMs, signal }).catch(() => {});
  }

  async tabs(): Promise<Omit<PageState, 'notes'>[]> {
    return await Promise.all(Array.from(this.#tabs, async ([tab, page]) => await described(tab, page)));
  }

  async closeTab(tab: string): Promise<void> {
    await this.#page(tab).close();
  }

  /** Closes all tabs; further calls have no effect. */
  async close(): Promise<void> {
    await this.#context.close().catch(() => {});
    await this.#proxy.close();
  }

  #page(tab = this.#current): Page {
    const page = this.#tabs.get(tab);
    if (page === undefined) {
      const known = [...this.#tabs.keys()].join(', ');
      if (known === '') throw new ToolError('no_match', 'No page is open. Open one first.');
      throw new ToolError('no_match', `There is no tab ${tab}. Name one of ${known}.`);
    }
    this.#current = tab;
    return page;
  }

  #nameOf(page: Page): string | undefined {
    return [...this.#tabs].find(([, one]) => one === page)?.[0];
  }

  #add(page: Page): void {
    if (this.#tabs.size >= maxTabs) {
      this.#note(`A page tried to open another tab; it was refused because ${maxTabs} are open`);
      void page.close().catch(() => {});
      return;
    }
    this.#count += 1;
    const tab = `t${this.#count}`;
    this.#tabs.set(tab, page);
    if (this.#tabs.size === 1 || !this.#tabs.has(this.#current)) this.#current = tab;
    const told = (opener: Page | null) => opener !== null && this.#note(`A page opened the tab ${tab}`);
    void page.opener().then(told, () => {});
    page.on('close', () => this.#forget(page));
    page.on('crash', () => {
      this.#note(`The page in ${tab} crashed and was closed`);
      void page.close().catch(() => {});
    });
    page.on('dialog', (dialog) => {
      const isLeaving = dialog.type() === 'beforeunload';
      if (!isLeaving) this.#note(`A dialog (${dialog.type()}) was answered no: ${oneLine(dialog.message())}`);
      // The caller has already decided to leave the page.
      void (isLeaving ? dialog.accept() : dialog.dismiss()).catch(() => {});
    });
    page.on('download', (download) => this.#downloads.take(download, this.#keep));
  }

  #forget(page: Page): void {
    const tab = this.#nameOf(page);
    if (tab === undefined) return;
    this.#tabs.delete(tab);
    if (this.#current === tab) this.#current = [...this.#tabs.keys()].at(-1) ?? '';
  }

  /** Throws the reason why a page did not open. A partly loaded page counts as open. */
  #unopened(thrown: unknown, hostname: string, page: Page): void {
    const message = thrown instanceof Error ? thrown.message : '';
    const refused = this.#refused;
    this.#notes = this.#notes.filter((note) => refused === undefined || !note.endsWith(refused.message));
    if (refused !== undefined) throw refused;
    const code = /net::(ERR_\w+)/.exec(message)?.[1];
    if (code === undefined) throw thrown;
    if (code === 'ERR_ABORTED')
      throw new ToolError('network_failed', `${hostname} answered without a page. Open another address.`);
    if (!page.url().startsWith('chrome-error:') && page.url() !== 'about:blank') return;
    const next = 'Check the address, or use another one.';
    throw new ToolError('network_failed', `${hostname} could not be opened (${code}). ${next}`);
  }

  /** Stops loading a page. Closes the page if a script blocks it. */
  async #stopLoading(page: Page): Promise<void> {
    const stop = async () => {
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Page.stopLoading');
      await devtools.detach();
      await page.evaluate('0');
    };
    if (await answeredWithin(Promise.allSettled([stop()]), answerMs)) return;
    this.#note('A page that did not answer was closed');
    // No later action may use the tab while it is closing.
    this.#forget(page);
    await page.close().catch(() => {});
  }

  #note(note: string): void {
    const known = this.#notes.includes(note);
    if (!known && this.#notes.length < maxNotes) this.#notes.push(note);
  }

  async #state(page: Page): Promise<PageState> {
    const tab = this.#nameOf(page) ?? this.#current;
    await this.#downloads.settle(settleMs);
    const state = await described(tab, page);
    const notes = this.#notes;
    this.#notes = [];
    return { ...state, notes };
  }
}

async function described(tab: string, page: Page): Promise<Omit<PageState, 'notes'>> {
  const title = page.title().catch(() => '');
  return { tab, url: page.url(), title: (await answeredWithin(title, answerMs)) ?? '' };
}

/** Waits for the next event of a page, not of its frames; `forget` removes the listener. */
function nextOf(page: Page, kind: 'download' | 'framenavigated') {
  let heard = (_?: object) => {};
  const event = new Promise<void>((resolve) => {
    heard = (subject) => {
      if (kind === 'download' || subject === page.mainFrame()) resolve();
    };
  });
  page.on(kind as 'download', heard);
  return { event, forget: () => page.off(kind as 'download', heard) };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 200);
}
