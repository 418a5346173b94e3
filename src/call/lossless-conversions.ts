import type { Limits } from '../core/limits.js';
import type { JsonSchemaObject } from '../core/schema/json-schema.js';
import { withoutProto } from './read-input.js';

export interface Conversion {
  readonly value: unknown;
  readonly how: string;
  readonly branch: JsonSchemaObject;
}

const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const whole = /^-?(?:0|[1-9]\d*)$/;
const truths: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/**
 * The table of coercions; any other conversion is refused.
 *
 * | wanted | from |
 * |---|---|
 * | boolean | the texts true, false, 1 and 0, in any letter case, also between spaces |
 * | number, integer | text of a JSON number that a double keeps without rounding; no whole number from 2^53 up |
 * | string | a boolean, or a finite number; no whole number from 2^53 up, because it may have lost digits |
 * | array | JSON text of a list whose numbers are exact; an object, number or boolean becomes a list of one |
 * | object | JSON text of an object whose numbers are exact |
 */
export function convert(value: unknown, schema: JsonSchemaObject, limits: Limits['call']): Conversion | undefined {
  const done = (converted: unknown, how: string): Conversion => ({ value: converted, how, branch: schema });
  switch (schema.type ?? typeOfValues(schema)) {
    case 'boolean': {
      const truth = typeof value === 'string' ? ownTruth(value.trim().toLowerCase()) : undefined;
      return truth === undefined ? undefined : done(truth, 'text to boolean');
    }
    case 'number':
    case 'integer': {
      const number = typeof value === 'string' ? toNumber(value.trim(), schema.type === 'integer') : undefined;
      return number === undefined ? undefined : done(number, 'text to number');
    }
    case 'string': {
      if (typeof value !== 'number' && typeof value !== 'boolean') return undefined;
      return isExact(value) ? done(String(value), `${typeof value} to text`) : undefined;
    }
    case 'array': {
      const list = typeof value === 'string' ? parseJson(value, limits) : undefined;
      if (Array.isArray(list)) return done(list, 'JSON text to list');
      const isSingle =
        typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'object' && value !== null);
      return isSingle ? done([value], `${typeof value} to list of one`) : undefined;
    }
    case 'object': {
      const parsed = typeof value === 'string' ? parseJson(value, limits) : undefined;
      return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
        ? done(parsed, 'JSON text to object')
        : undefined;
    }
    default:
      return undefined;
  }
}

/** The JSON type that all values of a `const` or `enum` have in common. */
function typeOfValues(schema: JsonSchemaObject): unknown {
  const values: readonly unknown[] = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : [];
  const [first, ...others] = values.map((value) => typeof value);
  return others.every((type) => type === first) ? first : undefined;
}

// A long id that arrives as a number has already lost digits.
function isExact(value: number | boolean): boolean {
  return (
    typeof value === 'boolean' ||
    (Number.isFinite(value) && !Object.is(value, -0) && (!Number.isInteger(value) || Number.isSafeInteger(value)))
  );
}

function ownTruth(text: string): boolean | undefined {
  return Object.hasOwn(truths, text) ? truths[text] : undefined;
}

function toNumber(text: string, isInteger: boolean): number | undefined {
  if (!(isInteger ? whole : decimal).test(text)) return undefined;
  return exactNumber(text);
}

function parseJson(text: string, limits: Limits['call']): unknown {
  if (text.length > limits.maxInputChars) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return nests(value, limits.maxInputDepth) || !holdsExactNumbers(text) ? undefined : withoutProto(value, text);
  } catch {
    return undefined;
  }
}

function nests(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((entry) => nests(entry, depth - 1));
}

/** Matches the numbers in JSON text, and also the strings, so that digits inside strings are skipped. */
const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/**
 * The value of the text of a JSON number; undefined for a number that a double rounds to other digits, and for a whole
 * number from 2^53 up.
 */
function exactNumber(text: string): number | undefined {
  const number = Number(text);
  if (!Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number))) return undefined;
  return spellingOf(text) === spellingOf(String(number)) ? number : undefined;
}

/** Whether every number in valid JSON text is an {@link exactNumber}. */
function holdsExactNumbers(json: string): boolean {
  for (const [token] of json.matchAll(textOrNumber)) {
    if (!token.startsWith('"') && exactNumber(token) === undefined) return false;
  }
  return true;
}

/** The same spelling for equal numbers: `1.50`, `15e-1` and `1.5` all become `15e-1`. The sign of zero is ignored. */
function spellingOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  // A loop, because a regular expression for trailing zeros takes quadratic time.
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  const significant = digits.slice(0, end);
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
