import { isRecord } from '../support/check-values.js';

type Bound = readonly [
  of: (value: unknown) => number | undefined,
  holds: (measure: number, limit: number) => boolean,
  text: string,
];

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);
const charsOf = (value: unknown) => (typeof value === 'string' ? countChars(value) : undefined);
const itemsOf = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const fieldsOf = (value: unknown) => (isRecord(value) ? Object.keys(value).length : undefined);
const atLeast = (measure: number, limit: number) => measure >= limit;
const atMost = (measure: number, limit: number) => measure <= limit;
const divides = (measure: number, limit: number) =>
  Math.abs(measure / limit - Math.round(measure / limit)) < 1e-9 * Math.max(1, Math.abs(measure / limit));

function countChars(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The keywords that bound a number or a size: the measure, the comparison, and the message of a violation. */
export const bounds: ReadonlyMap<string, Bound> = new Map<string, Bound>([
  ['minimum', [numberOf, atLeast, 'must be at least N']],
  ['maximum', [numberOf, atMost, 'must be at most N']],
  ['exclusiveMinimum', [numberOf, (measure, limit) => measure > limit, 'must be more than N']],
  ['exclusiveMaximum', [numberOf, (measure, limit) => measure < limit, 'must be less than N']],
  ['multipleOf', [numberOf, divides, 'must be a multiple of N']],
  ['minLength', [charsOf, atLeast, 'must have at least N characters']],
  ['maxLength', [charsOf, atMost, 'must have at most N characters']],
  ['minItems', [itemsOf, atLeast, 'must have at least N entries']],
  ['maxItems', [itemsOf, atMost, 'must have at most N entries']],
  ['minProperties', [fieldsOf, atLeast, 'must have at least N fields']],
  ['maxProperties', [fieldsOf, atMost, 'must have at most N fields']],
]);
