import type * as playwright from 'playwright-core';
import { ToolError } from '../../core/error.js';
import { neededPackage } from '../../core/require-package.js';

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
  const failed = (code: string, text: string) => new ToolError(code, text, { cause: thrown });
  const next = 'Take a snapshot to see the state of the page.';
  if (name === 'AbortError') return failed('interrupted', `${what} was interrupted.`);
  if (name === 'TimeoutError') return failed('timeout', `${what} took too long. ${next}`);
  if (/has been closed|was detached|crashed/.test(message))
    return failed('execution_failed', 'The page was closed in the meantime. Open it again.');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal.
  const line = message.replace(/\u001b\[[\d;]*m/g, '').split('\n', 1)[0] ?? '';
  const reason = line.replace(/^[\w.]+: (?:Error: )?/, '').slice(0, 500);
  return failed('execution_failed', `${what} failed: ${reason}. ${next}`);
}
