import type * as z from 'zod/v4/mini';
import { choice, having, inputObject, optional } from './input-object.js';

/** The fields that one action needs, and those that it takes besides. */
export interface ActionFields<Name extends string = string> {
  readonly needs?: readonly Name[];
  readonly takes?: readonly Name[];
}

/** What a tool with several actions gets: of each action its own fields. */
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
 * The input of a tool with several actions. Providers take no union at the top of a schema, so it is one object with all
 * fields; one that is missing for its action, or belongs to another action, is named in the message.
 */
export function actionInput<
  const Fields extends Readonly<Record<string, z.ZodMiniType>>,
  const Actions extends Readonly<Record<string, ActionFields<keyof Fields & string>>>,
>(actions: Actions, fields: Fields): z.ZodMiniType<ActionInput<Fields, Actions>> {
  const optionals = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)]));
  const needed = Object.entries(actions).map(([action, { needs = [] }]) => `${action} (${needs.join(', ')})`);
  const about = needed.some((action) => !action.endsWith('()'))
    ? `With the fields it needs: ${needed.join(', ').replaceAll(' ()', '')}`
    : undefined;
  const schema = inputObject({ action: choice(Object.keys(actions), about), ...optionals });
  const mistake = (input: Readonly<Record<string, unknown>>) => mistakeIn(input, actions, Object.keys(fields));
  const checked = having(
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
