export type { Browser, BrowserScope, PageAction, PageCapture, PageState } from './browser.js';
export { browserTool } from './browser-tool.js';
export { type ChromiumBrowser, type ChromiumBrowserOptions, chromiumBrowser } from './chromium-browser.js';
