import * as z from 'zod/v4';

// The fields of the built-in tools. What is wrong is said in words of our own, whatever language the host's zod speaks.

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
export function inputObject<const Shape extends z.ZodRawShape>(fields: Shape): z.ZodObject<Shape> {
  return z.object(fields, wording) as z.ZodObject<Shape>;
}

/** A text. `about` tells the model what it is. */
export function text(about?: string, { minLength, maxLength }: TextBounds = {}): z.ZodString {
  let field = z.string(wording);
  if (minLength !== undefined) field = field.min(minLength, wording);
  if (maxLength !== undefined) field = field.max(maxLength, wording);
  return about === undefined ? field : field.describe(about);
}

/** A whole number that a double holds exactly. */
export function integer(about: string, { minimum, maximum }: NumberBounds = {}): z.ZodNumber {
  let field = z.number(wording).int(wording);
  if (minimum !== undefined) field = field.min(minimum, wording);
  if (maximum !== undefined) field = field.max(maximum, wording);
  return field.describe(about);
}

/** True or false. */
export function flag(about: string): z.ZodBoolean {
  return z.boolean(wording).describe(about);
}

/** One of some words. */
export function choice<const Word extends string>(words: readonly Word[], about: string) {
  return z.enum(words, wording).describe(about);
}

/** A list of such things. */
export function list<Element extends z.ZodType>(element: Element, about: string): z.ZodArray<Element> {
  return z.array(element, wording).describe(about);
}

/** A field that may be left out. */
export function optional<Field extends z.ZodType>(field: Field): z.ZodOptional<Field> {
  return field.optional();
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
