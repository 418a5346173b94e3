import { isRecord } from '../support/is-record.js';

type Bound = readonly [
  of: (value: unknown) => number | undefined,
  holds: (is: number, limit: number) => boolean,
  text: string,
];

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);
const charsOf = (value: unknown) => (typeof value === 'string' ? countChars(value) : undefined);
const itemsOf = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const fieldsOf = (value: unknown) => (isRecord(value) ? Object.keys(value).length : undefined);
const atLeast = (is: number, limit: number) => is >= limit;
const atMost = (is: number, limit: number) => is <= limit;
const divides = (is: number, limit: number) =>
  Math.abs(is / limit - Math.round(is / limit)) < 1e-9 * Math.max(1, Math.abs(is / limit));

function countChars(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The keywords that bound a number or a size: the measure, the comparison, and the message of a violation. */
export const bounds: ReadonlyMap<string, Bound> = new Map<string, Bound>([
  ['minimum', [numberOf, atLeast, 'must be at least N']],
  ['maximum', [numberOf, atMost, 'must be at most N']],
  ['exclusiveMinimum', [numberOf, (is, limit) => is > limit, 'must be more than N']],
  ['exclusiveMaximum', [numberOf, (is, limit) => is < limit, 'must be less than N']],
  ['multipleOf', [numberOf, divides, 'must be a multiple of N']],
  ['minLength', [charsOf, atLeast, 'must have at least N characters']],
  ['maxLength', [charsOf, atMost, 'must have at most N characters']],
  ['minItems', [itemsOf, atLeast, 'must have at least N entries']],
  ['maxItems', [itemsOf, atMost, 'must have at most N entries']],
  ['minProperties', [fieldsOf, atLeast, 'must have at least N fields']],
  ['maxProperties', [fieldsOf, atMost, 'must have at most N fields']],
]);
