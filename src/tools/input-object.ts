import {
  _array,
  _enum,
  _optional,
  _refine,
  $ZodArray,
  $ZodBoolean,
  type $ZodCheck,
  $ZodCheckGreaterThan,
  $ZodCheckLessThan,
  $ZodCheckMaxLength,
  $ZodCheckMinLength,
  $ZodCheckNumberFormat,
  $ZodCustom,
  $ZodEnum,
  $ZodNumber,
  $ZodObject,
  $ZodOptional,
  type $ZodRawIssue,
  type $ZodShape,
  $ZodString,
  type $ZodType,
  globalRegistry,
  type output,
} from 'zod/v4/core';

// The built-in tools write their inputs with zod's core alone. Its usual interface would be a tenth of what an import of this package costs, for people who may
// never touch it, and half of what it takes to make a toolkit.

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

/** What must hold of an input as a whole. */
interface Condition<Shape extends $ZodShape> {
  readonly holds: (input: output<$ZodObject<Shape>>) => boolean;
  /** The field to name where it does not, and what to say of it. */
  readonly path: readonly [string];
  readonly message: string;
}

/** The input of a tool: an object of such fields, which are made when somebody first looks at them. Unknown keys are left out. */
export function inputObject<const Shape extends $ZodShape>(
  fields: () => Shape,
  ...conditions: readonly Condition<Shape>[]
): $ZodObject<Shape> {
  const checks = conditions.map(checkOf);
  let made: Shape | undefined;
  return new $ZodObject({
    type: 'object',
    get shape() {
      made ??= fields();
      return made;
    },
    checks,
    ...wording(),
  }) as $ZodObject<Shape>;
}

/** A text. `about` tells the model what it is. */
export function text(about?: string, { minLength, maxLength }: TextBounds = {}): $ZodString {
  const checks: $ZodCheck<string>[] = [];
  if (minLength !== undefined) checks.push(new $ZodCheckMinLength({ check: 'min_length', minimum: minLength, ...wording() }));
  if (maxLength !== undefined) checks.push(new $ZodCheckMaxLength({ check: 'max_length', maximum: maxLength, ...wording() }));
  return described(new $ZodString({ type: 'string', checks, ...wording() }), about);
}

/** A whole number that a double holds exactly. */
export function integer(about: string, bounds: NumberBounds = {}): $ZodNumber {
  const whole = new $ZodCheckNumberFormat({ check: 'number_format', format: 'safeint', abort: false, ...wording() });
  return described(new $ZodNumber({ type: 'number', checks: [whole, ...boundChecks(bounds)], ...wording() }), about);
}

/** True or false. */
export function flag(about: string): $ZodBoolean {
  return described(new $ZodBoolean({ type: 'boolean', ...wording() }), about);
}

/** One of some words. */
export function choice<const Word extends string>(words: readonly Word[], about: string) {
  return described(_enum($ZodEnum, [...words], wording()), about);
}

/** A list of such things. */
export function list<Element extends $ZodType>(element: Element, about: string): $ZodArray<Element> {
  return described(_array($ZodArray, element, wording()), about);
}

/** A field that may be left out. */
export function optional<Field extends $ZodType>(field: Field): $ZodOptional<Field> {
  return _optional($ZodOptional, field as never) as $ZodOptional<Field>;
}

function checkOf<Shape extends $ZodShape>({ holds, path, message }: Condition<Shape>): $ZodCheck {
  return _refine($ZodCustom, holds as (input: unknown) => boolean, { path: [...path], error: message }) as unknown as $ZodCheck;
}

function boundChecks({ minimum, maximum }: NumberBounds): $ZodCheck<number>[] {
  const checks: $ZodCheck<number>[] = [];
  const inclusive = true;
  if (minimum !== undefined) checks.push(new $ZodCheckGreaterThan({ check: 'greater_than', value: minimum, inclusive, ...wording() }));
  if (maximum !== undefined) checks.push(new $ZodCheckLessThan({ check: 'less_than', value: maximum, inclusive, ...wording() }));
  return checks;
}

function described<Schema extends $ZodType>(schema: Schema, about: string | undefined): Schema {
  if (about !== undefined) globalRegistry.add(schema, { description: about });
  return schema;
}

function wording() {
  return { error: describeIssue };
}

/** In words of our own: without the rest of zod nothing has set its language, which is up to whoever embeds this. */
function describeIssue(issue: $ZodRawIssue): string | undefined {
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
}

function withArticle(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

function unitOf(origin: string): string {
  return origin === 'string' ? ' characters' : '';
}
