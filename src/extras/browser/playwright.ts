import type * as playwright from 'playwright-core';
import { ToolError } from '../../core/error.js';
import { neededPackage } from '../../core/needed-package.js';

/** The parts of the package `playwright-core` that are used. */
export type Page = playwright.Page;
export type Context = playwright.BrowserContext;
export type Program = playwright.Browser;
export type Download = playwright.Download;
export type Locator = playwright.Locator;
export type LaunchOptions = playwright.LaunchOptions;

/** The optional package `playwright-core`. */
export const loadPlaywright = () =>
  neededPackage<Pick<typeof playwright, 'chromium'>>('playwright-core', 'The browser needs');

/** What went wrong in words of one line: those of the package go on with a log of what was tried. */
export function browserFailure(thrown: unknown, what: string): ToolError {
  if (ToolError.is(thrown)) return thrown;
  const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (name === 'AbortError') return new ToolError('interrupted', `${what} was interrupted.`, { cause: thrown });
  if (name === 'TimeoutError')
    return new ToolError('timeout', `${what} took too long. Take a snapshot to see how the page stands.`, {
      cause: thrown,
    });
  if (/has been closed|was detached|has crashed|crashed/.test(message))
    return new ToolError('execution_failed', `The page was closed meanwhile. Open it again.`, { cause: thrown });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal.
  const line = message.replace(/\u001b\[[\d;]*m/g, '').split('\n', 1)[0] ?? '';
  const reason = line
    .replace(/^[\w.]+: /, '')
    .replace(/^Error: /, '')
    .slice(0, 500);
  return new ToolError('execution_failed', `${what} failed: ${reason}. Take a snapshot to see how the page stands.`, {
    cause: thrown,
  });
}
