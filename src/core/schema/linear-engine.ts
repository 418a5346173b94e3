import type { RE2JS } from 're2js';
import { once } from '../support/once.js';

/** A regular expression engine that runs in time linear in the length of the text. */
export type LinearEngine = typeof RE2JS;

/** A pattern that this engine has compiled. */
export type LinearPattern = RE2JS;

/** Loads the engine on first use. */
export const linearEngine = once(async (): Promise<LinearEngine> => (await import('re2js')).RE2JS);
