import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createPermissions, type Toolkit } from 'toolwright';
import { browserTool, type ChromiumBrowserOptions, chromiumBrowser } from 'toolwright/extras/browser';
import { testToolkit } from './test-toolkit.js';
import { webServer } from './web-server.js';

export const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
/** Whether the tests with a real browser can run here. */
export const hasChromium = executablePath !== undefined;
if (!hasChromium) console.log('No Chromium is installed here: the tests with a real browser are left out.');

/** A page: its HTML body, or a function that serves it. */
export type Pages = Readonly<Record<string, string | RequestListener>>;

/** Pages on loopback, which a browser may reach only at 127.0.0.1, and a toolkit with the tool. */
export async function chromiumWorld(pages: Pages, options: ChromiumBrowserOptions = {}, timeoutMs = 30_000) {
  const { url, requests } = await webServer((request, response) => {
    const page = pages[new URL(request.url ?? '/', 'http://x').pathname];
    if (typeof page === 'function') return page(request, response);
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page);
  });
  const browser = chromiumBrowser({ executablePath, http: { allowPrivate: ['127.0.0.1'] }, ...options });
  const toolkit = testToolkit({
    limits: { web: { timeoutMs } },
    permissions: createPermissions({ mode: 'bypassPermissions', deny: ['WebFetch(domain:denied.test)'] }),
  });
  toolkit.registry.register(browserTool(browser, toolkit));
  return { url, requests, browser, toolkit, ...callsOf(toolkit) };
}

/** Calls of the tool, and references in the snapshot of the current page. */
export function callsOf(toolkit: Toolkit) {
  const call = (input: object, sessionId = 's1') => toolkit.call('browser', input, { caller: { sessionId } });
  const ref = async (name: string): Promise<string> => {
    const { output } = await call({ action: 'snapshot' });
    const line = output.split('\n').find((one) => one.includes(name));
    return /\[ref=(\w+)\]/.exec(line ?? '')?.[1] ?? `nothing called ${name} in ${output}`;
  };
  return { call, ref, click: async (name: string) => await call({ action: 'click', ref: await ref(name) }) };
}
