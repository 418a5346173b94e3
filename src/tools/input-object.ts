import * as z from 'zod/v4/mini';

// The fields of the built-in tools, in the smaller of zod's two interfaces. What is wrong is said in words of our own,
// whatever language the host's zod speaks.

/** Bounds of a text in characters, both included. */
interface TextBounds {
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Bounds of a number, both included. */
interface NumberBounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The input of a tool. Unknown keys are left out. */
export function inputObject<const Shape extends z.core.$ZodLooseShape>(fields: Shape): z.ZodMiniObject<Shape> {
  return z.object(fields, wording) as z.ZodMiniObject<Shape>;
}

/** A text. `about` tells the model what it is. */
export function text(about?: string, { minLength, maxLength }: TextBounds = {}): z.ZodMiniString {
  const least = minLength === undefined ? [] : [z.minLength(minLength, wording)];
  const most = maxLength === undefined ? [] : [z.maxLength(maxLength, wording)];
  return described(z.string(wording).check(...least, ...most), about);
}

/** A whole number that a double holds exactly. */
export function integer(about: string, { minimum, maximum }: NumberBounds = {}): z.ZodMiniNumber {
  const least = minimum === undefined ? [] : [z.gte(minimum, wording)];
  const most = maximum === undefined ? [] : [z.lte(maximum, wording)];
  return described(z.int(wording).check(...least, ...most), about);
}

/** True or false. */
export function flag(about: string): z.ZodMiniBoolean {
  return described(z.boolean(wording), about);
}

/** One of some words. */
export function choice<const Word extends string>(words: readonly Word[], about: string) {
  return described(z.enum(words, wording), about);
}

/** A list of such things. */
export function list<Element extends z.ZodMiniType>(element: Element, about: string): z.ZodMiniArray<Element> {
  return described(z.array(element, wording), about);
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
  return origin === 'string' ? ' characters' : '';
}
