import type * as playwright from 'playwright-core';
import { ToolError } from '../../core/error.js';
import { neededPackage } from '../../core/needed-package.js';

/** Types of the package `playwright-core`. */
export type Page = playwright.Page;
export type Context = playwright.BrowserContext;
export type Program = playwright.Browser;
export type Download = playwright.Download;
export type Locator = playwright.Locator;

/** Loads the optional package `playwright-core`. */
export const loadPlaywright = () =>
  neededPackage<Pick<typeof playwright, 'chromium'>>('playwright-core', 'The browser needs');

/** Converts an error of the package. Uses only the first line of the message, since a log of attempts follows. */
export function browserFailure(thrown: unknown, what: string): ToolError {
  if (ToolError.is(thrown)) return thrown;
  const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (name === 'AbortError') return new ToolError('interrupted', `${what} was interrupted.`, { cause: thrown });
  if (name === 'TimeoutError')
    return new ToolError('timeout', `${what} took too long. Take a snapshot to see the state of the page.`, {
      cause: thrown,
    });
  if (/has been closed|was detached|has crashed|crashed/.test(message))
    return new ToolError('execution_failed', 'The page was closed in the meantime. Open it again.', { cause: thrown });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal.
  const line = message.replace(/\u001b\[[\d;]*m/g, '').split('\n', 1)[0] ?? '';
  const reason = line
    .replace(/^[\w.]+: /, '')
    .replace(/^Error: /, '')
    .slice(0, 500);
  return new ToolError('execution_failed', `${what} failed: ${reason}. Take a snapshot to see the state of the page.`, {
    cause: thrown,
  });
}
