import type * as z from 'zod/v4/mini';
import { choice, inputObject, optional, withRule } from './fields.js';

/** The required and the optional fields of one action. */
export interface ActionFields<Name extends string = string> {
  readonly needs?: readonly Name[];
  readonly takes?: readonly Name[];
}

/** The input of a tool with several actions: the fields of each action. */
export type ActionInput<
  Fields extends Readonly<Record<string, z.ZodMiniType>>,
  Actions extends Readonly<Record<string, ActionFields<keyof Fields & string>>>,
> = {
  readonly [Action in keyof Actions & string]: { readonly action: Action } & {
    readonly [Name in Extract<Actions[Action]['needs'], readonly string[]>[number] & keyof Fields]: z.output<
      Fields[Name]
    >;
  } & {
    readonly [Name in Extract<Actions[Action]['takes'], readonly string[]>[number] & keyof Fields]?:
      | z.output<Fields[Name]>
      | undefined;
  };
}[keyof Actions & string];

/**
 * The schema of a tool with several actions. Providers accept no union at the top of a schema, so the schema is one
 * object with all fields. The error message names the fields that the action lacks, or that belong to another action.
 */
export function actionInput<
  const Fields extends Readonly<Record<string, z.ZodMiniType>>,
  const Actions extends Readonly<Record<string, ActionFields<keyof Fields & string>>>,
>(actions: Actions, fields: Fields): z.ZodMiniType<ActionInput<Fields, Actions>> {
  const optionals = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)]));
  const needed = Object.entries(actions).map(([action, { needs = [] }]) => `${action} (${needs.join(', ')})`);
  const about = needed.some((action) => !action.endsWith('()'))
    ? `Required fields in parentheses: ${needed.join(', ').replaceAll(' ()', '')}`
    : undefined;
  const schema = inputObject({ action: choice(Object.keys(actions), about), ...optionals });
  const mistake = (input: Readonly<Record<string, unknown>>) => mistakeIn(input, actions, Object.keys(fields));
  const checked = withRule(
    schema as z.ZodMiniType,
    (input) => mistake(input as never) === undefined,
    (input) => mistake(input as never) ?? '',
  );
  return checked as z.ZodMiniType<ActionInput<Fields, Actions>>;
}

function mistakeIn(
  input: Readonly<Record<string, unknown>>,
  actions: Readonly<Record<string, ActionFields>>,
  fields: readonly string[],
): string | undefined {
  const { needs = [], takes = [] } = actions[String(input.action)] ?? {};
  const missing = needs.filter((name) => input[name] === undefined);
  if (missing.length > 0) return `expected ${missing.join(' and ')} for the action ${input.action}`;
  const foreign = fields.filter((name) => input[name] !== undefined && ![...needs, ...takes].includes(name));
  if (foreign.length === 0) return undefined;
  const own = [...needs, ...takes].join(', ') || 'no other field';
  return `expected no ${foreign.join(' and ')} for the action ${input.action}, which takes ${own}`;
}
