import type { Caller } from '../context.js';
import {
  argumentMistake,
  assertOptions,
  having,
  isRecord,
  kindName,
  kindOf,
  type OptionKind,
  type OptionKinds,
} from '../support/check-values.js';
import type { ToolDefinitionJson } from './tool-definitions.js';
import type { Toolkit } from './toolkit.js';

/** A source of tools: a toolkit, or its definitions. */
export type ToolSource = Toolkit | readonly ToolDefinitionJson[];

/** An option of adapters that make their tools synchronously. */
export interface ChosenTools {
  /**
   * The tools to make. Pass `await toolkit.definitionsFor(caller)` if the toolkit has `registryFor`. Default:
   * `toolkit.definitions(caller)`.
   */
  readonly definitions?: readonly ToolDefinitionJson[] | undefined;
}

/** The arguments after a source: an optional caller, then options. */
export type CallerThen<Options> = [options: Options] | [caller: Caller | undefined, options: Options];

/** The arguments after a source: an optional caller, then optional options. */
export type CallerOr<Options> = [options?: Options] | [caller: Caller | undefined, options?: Options];

/**
 * The definitions of a toolkit for a caller; a list of definitions is returned as it is. For any other source, throws a
 * TypeError whose message ends with the correct call. `more` is the text after `toolkit` in that call.
 */
export function definitionsOf(what: string, source: unknown, caller?: Caller, more = ''): ToolDefinitionJson[] {
  if (toolkitKind.holds(source)) return (source as Toolkit).definitions(caller);
  if (Array.isArray(source) && source.every(isDefinition)) return source;
  const got = kindName(Array.isArray(source) ? source.filter((entry) => !isDefinition(entry)) : source);
  const write = `${what}(${isDefinition(source) ? '[definition]' : 'toolkit'}${more})`;
  throw argumentMistake(`${what} takes a toolkit or a list of definitions`, got, write);
}

/** Throws a TypeError for a value that cannot run calls, such as definitions. */
export function assertToolkit(what: string, value: unknown): void {
  const got = Array.isArray(value) && value.every(isDefinition) ? 'definitions' : kindName(value);
  if (!toolkitKind.holds(value))
    throw argumentMistake(`${what} takes a toolkit, which runs the tools`, got, `${what}(toolkit)`);
}

/**
 * Reads the arguments after a source: an object with a `sessionId` is the caller, any other object the options. Throws
 * a TypeError for anything else, and for an unknown or wrong option.
 */
export function readCallerAndOptions<Options extends object>(
  what: string,
  [second, third]: readonly unknown[],
  kinds: OptionKinds<Options>,
): { readonly caller: Caller | undefined; readonly options: Partial<Options> } {
  const isCaller = isRecord(second) && typeof second.sessionId === 'string';
  const write = `${what}(toolkit, { sessionId: 'session_1' })`;
  if (second && !isCaller && (third !== undefined || !isRecord(second) || 'sessionId' in second))
    throw argumentMistake(`${what} takes the caller second and options last`, kindName(second), write);
  const options = (isCaller ? third : (second ?? third)) ?? {};
  // With `sessionId` among the known names, the message about a misspelt `sessionID` suggests `sessionId`.
  assertOptions(what, options, isCaller ? kinds : { ...kinds, sessionId: kindOf.text });
  return { caller: isCaller ? (second as unknown as Caller) : undefined, options: options as Partial<Options> };
}

const toolkitKind = having('a toolkit', 'call', 'execute', 'definitions');

/** A list of definitions. */
export const definitionsKind: OptionKind = {
  takes: 'the definitions that `await toolkit.definitionsFor(caller)` gives',
  holds: (value) => Array.isArray(value) && value.every(isDefinition),
};

function isDefinition(value: unknown): value is ToolDefinitionJson {
  return isRecord(value) && typeof value.name === 'string' && isRecord(value.inputSchema);
}
