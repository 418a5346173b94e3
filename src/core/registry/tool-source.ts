import type { Caller } from '../context.js';
import { argumentMistake, kindThatCame } from '../support/argument-mistake.js';
import { isRecord } from '../support/is-record.js';
import { assertOptions, having, kindOf, type OptionKind, type OptionKinds } from '../support/option-kinds.js';
import type { ToolDefinitionJson } from './tool-definitions.js';
import type { Toolkit } from './toolkit.js';

/** What tools are made of: a toolkit, or the definitions that it offers. */
export type ToolSource = Toolkit | readonly ToolDefinitionJson[];

/** Which tools are made, for what makes them at once. */
export interface ChosenTools {
  /**
   * Where `registryFor` gives callers registries of their own: `await toolkit.definitionsFor(caller)`. Default:
   * `toolkit.definitions(caller)`.
   */
  readonly definitions?: readonly ToolDefinitionJson[] | undefined;
}

/** What follows a source: the caller whose tools they are, then options; the caller may be left out. */
export type CallerThen<Options> = [options: Options] | [caller: Caller | undefined, options: Options];

/** The same where options may be left out too. */
export type CallerOr<Options> = [options?: Options] | [caller: Caller | undefined, options?: Options];

/** The definitions of a toolkit for a caller, or of a list. Throws a TypeError that says to write `more` besides. */
export function definitionsOf(what: string, source: unknown, caller?: Caller, more = ''): ToolDefinitionJson[] {
  if (toolkitKind.holds(source)) return (source as Toolkit).definitions(caller);
  if (Array.isArray(source) && source.every(isDefinition)) return source;
  const got = kindThatCame(Array.isArray(source) ? source.filter((entry) => !isDefinition(entry)) : source);
  const write = `${what}(${isDefinition(source) ? '[definition]' : 'toolkit'}${more})`;
  throw argumentMistake(`${what} takes a toolkit or a list of definitions`, got, write);
}

/** Throws a TypeError for what cannot run calls, definitions included. */
export function assertToolkit(what: string, value: unknown): void {
  const got = Array.isArray(value) && value.every(isDefinition) ? 'definitions' : kindThatCame(value);
  if (!toolkitKind.holds(value))
    throw argumentMistake(`${what} takes a toolkit, which runs the tools`, got, `${what}(toolkit)`);
}

/**
 * Reads what follows a source. What has a `sessionId` is the caller, anything else options. Throws a TypeError for what
 * is neither, and for an unknown or wrong option.
 */
export function readCallerAndOptions<Options extends object>(
  what: string,
  [second, third]: readonly unknown[],
  kinds: OptionKinds<Options>,
): { readonly caller: Caller | undefined; readonly options: Partial<Options> } {
  const isCaller = isRecord(second) && typeof second.sessionId === 'string';
  const write = `${what}(toolkit, { sessionId: 'session_1' })`;
  if (second && !isCaller && (third !== undefined || !isRecord(second) || 'sessionId' in second))
    throw argumentMistake(`${what} takes the caller second and options last`, kindThatCame(second), write);
  const options = (isCaller ? third : (second ?? third)) ?? {};
  // A slip in the one name that tells a caller from options is found among the near names.
  assertOptions(what, options, isCaller ? kinds : { ...kinds, sessionId: kindOf.text });
  return { caller: isCaller ? (second as unknown as Caller) : undefined, options: options as Partial<Options> };
}

const toolkitKind = having('a toolkit', 'call', 'execute', 'definitions');

/** The definitions that a toolkit gave. */
export const definitionsKind: OptionKind = {
  takes: 'the definitions that `await toolkit.definitionsFor(caller)` gives',
  holds: (value) => Array.isArray(value) && value.every(isDefinition),
};

function isDefinition(value: unknown): value is ToolDefinitionJson {
  return isRecord(value) && typeof value.name === 'string' && isRecord(value.inputSchema);
}
