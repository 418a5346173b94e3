export type { Browser, BrowserScope, PageAction, PageCapture, PageState } from './browser.js';
export { type ChromiumBrowser, type ChromiumBrowserOptions, chromiumBrowser } from './chromium.js';
export { browserTool } from './tool.js';
