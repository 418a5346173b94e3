import type { RE2JS } from 're2js';
import { once } from '../support/once.js';

/** The engine for regular expressions whose time is linear in the text. */
export type LinearEngine = typeof RE2JS;

/** A pattern that it compiled. */
export type LinearPattern = RE2JS;

/** Loads the engine on first use. */
export const linearEngine = once(async (): Promise<LinearEngine> => (await import('re2js')).RE2JS);
