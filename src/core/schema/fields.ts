import * as z from 'zod/v4/mini';

// Schemas for the fields of the built-in tools, made with `zod/mini`. The library sets its own messages, so that they
// do not depend on the locale that the host sets in zod.

/** Bounds of a text in characters, both included. */
interface TextBounds {
  readonly minLength?: number;
  readonly maxLength?: number;
}

interface ListBounds {
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Bounds of a number, both included. */
interface NumberBounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The input of a tool. Unknown keys are removed. */
export function inputObject<const Shape extends z.core.$ZodLooseShape>(fields: Shape): z.ZodMiniObject<Shape> {
  return z.object(fields, wording) as z.ZodMiniObject<Shape>;
}

/** A text. `about` is the description for the model. */
export function text(about?: string, { minLength, maxLength }: TextBounds = {}): z.ZodMiniString {
  const most = maxLength === undefined ? [] : [z.maxLength(maxLength, wording)];
  return described(z.string(wording).check(...least(minLength, ' characters'), ...most), about);
}

/**
 * A text for people: not blank, at most `maxChars` characters, and without control characters (except line breaks and
 * tabs) and direction marks, which could disguise the text. These rules are not in the JSON Schema, because each
 * request repeats the schema.
 */
export function words(maxChars: number, about?: string): z.ZodMiniString {
  const isShort = ({ length }: string) => length <= maxChars;
  const checked = z.string(wording).check(
    z.refine((value) => value.trim() !== '', 'expected text that is not empty'),
    z.refine(isShort, `expected at most ${maxChars} characters`),
    z.refine((value) => !isDeceptive(value), 'expected text without control characters and direction marks'),
  );
  return described(checked, about);
}

// The expression is made on first use, because compiling Unicode classes is slow.
function isDeceptive(value: string): boolean {
  return /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(value);
}

/** An integer between -(2^53 - 1) and 2^53 - 1. */
export function integer(about?: string, { minimum, maximum }: NumberBounds = {}): z.ZodMiniNumber {
  const most = maximum === undefined ? [] : [z.lte(maximum, wording)];
  return described(z.int(wording).check(...least(minimum), ...most), about);
}

/** A number, fractions included. */
export function number(about?: string, { minimum, maximum }: NumberBounds = {}): z.ZodMiniNumber {
  const most = maximum === undefined ? [] : [z.lte(maximum, wording)];
  return described(z.number(wording).check(...least(minimum), ...most), about);
}

/**
 * A minimum that is left out of the JSON Schema, because each request repeats the schema and models respect the minimum
 * anyway.
 */
function least(minimum: number | undefined, unit = '') {
  if (minimum === undefined) return [];
  const sizeOf = (value: unknown) => (typeof value === 'string' ? value.length : Number(value));
  return [z.refine((value) => sizeOf(value) >= minimum, `expected at least ${minimum}${unit}`)];
}

/** True or false. */
export function flag(about?: string): z.ZodMiniBoolean {
  return described(z.boolean(wording), about);
}

/** One of the given words. */
export function choice<const Word extends string>(words: readonly Word[], about?: string) {
  return described(z.enum(words, wording), about);
}

/** A list of elements of one schema. */
export function list<Element extends z.ZodMiniType>(
  element: Element,
  about?: string,
  { minItems, maxItems }: ListBounds = {},
): z.ZodMiniArray<Element> {
  const fewest = minItems === undefined ? [] : [z.minLength(minItems, wording)];
  const most = maxItems === undefined ? [] : [z.maxLength(maxItems, wording)];
  return described(z.array(element, wording).check(...fewest, ...most), about);
}

/** Values of one kind under names that the model chooses. */
export function byName<Value extends z.ZodMiniType>(value: Value, about?: string) {
  return described(z.record(z.string(), value, wording), about);
}

/** A text, a number, true or false. */
export function scalar(about: string) {
  return described(z.union([z.string(), z.number(), z.boolean()], 'expected a string, a number or a boolean'), about);
}

/** Any JSON value. */
export const anything = z.unknown;

/** A schema with one more rule. The message is fixed, or made from the value. */
export function withRule<Schema extends z.ZodMiniType>(
  schema: Schema,
  holds: (value: z.output<Schema>) => boolean,
  message: string | ((value: z.output<Schema>) => string),
  path: PropertyKey[] = [],
): Schema {
  const { description } = z.globalRegistry.get(schema) ?? {};
  // `check` returns another schema, which lacks the description in some versions of zod.
  const error = typeof message === 'string' ? message : ({ input }: z.core.$ZodRawIssue) => message(input as never);
  return described(schema.check(z.refine(holds, { error, path })) as Schema, description);
}

/** A field that may be left out. */
export const optional = z.optional;

function described<Schema extends z.ZodMiniType>(schema: Schema, description: string | undefined): Schema {
  if (description !== undefined) z.globalRegistry.add(schema, { description });
  return schema;
}

const wording = {
  error(issue: z.core.$ZodRawIssue): string | undefined {
    switch (issue.code) {
      case 'invalid_type':
        return `expected ${issue.expected === 'int' ? 'a whole number' : withArticle(issue.expected)}`;
      case 'invalid_value':
        return `expected one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
      case 'too_small':
        return `expected at least ${issue.minimum}${unitOf(issue.origin)}`;
      case 'too_big':
        return `expected at most ${issue.maximum}${unitOf(issue.origin)}`;
      default:
        return undefined;
    }
  },
};

function withArticle(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

function unitOf(origin: string): string {
  if (origin === 'array') return ' entries';
  return origin === 'string' ? ' characters' : '';
}
