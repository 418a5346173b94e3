import { didYouMean } from './near-names.js';

/** Throws a TypeError, with near names, for a key of `options` that `known` does not hold: a misspelt option must not be ignored in silence. */
export function assertKnownKeys(what: string, options: object, known: Readonly<Record<string, unknown>>): void {
  for (const key in options) {
    if (!Object.hasOwn(known, key)) throw new TypeError(`${what}: ${key} is no option.${didYouMean(key, Object.keys(known))}`);
  }
}
