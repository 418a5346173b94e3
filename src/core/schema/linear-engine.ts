import { once } from '../support/once.js';

/** Loads the engine for regular expressions whose time is linear in the text, on first use. */
export const linearEngine = once(async () => (await import('re2js')).RE2JS);
