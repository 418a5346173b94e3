import type { Browser, BrowserScope } from 'toolwright/extras/browser';

/** A browser in memory with one page. It records its calls, and `overrides` replace its methods. */
export function fakeBrowser(overrides: Partial<Browser> = {}) {
  const asked: unknown[][] = [];
  const scopes: BrowserScope[] = [];
  const page = { tab: 't1', url: 'https://example.com/', title: 'Example', notes: [] };
  const answering =
    <Answer>(name: string, answer: Answer) =>
    async (request: object, scope: BrowserScope) => {
      asked.push([name, request]);
      scopes.push(scope);
      return answer;
    };
  const browser: Browser = {
    open: answering('open', page),
    snapshot: answering('snapshot', { ...page, text: '- button "Send" [ref=e1]' }),
    act: answering('act', page),
    capture: answering('capture', { ...page, mediaType: 'image/png', bytes: new Uint8Array([1, 2, 3]) }),
    evaluate: answering('evaluate', { ...page, text: '{"a":1}' }),
    tabs: async () => [page],
    close: answering('close', undefined),
    endSession: async (sessionId) => void asked.push(['endSession', sessionId]),
    ...overrides,
  };
  return { browser, asked, scopes };
}
