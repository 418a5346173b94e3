import { didYouMean } from './near-names.js';

/** Whether a value is an object with fields: not null, not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value has a `then` method, as promises do. */
export function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return typeof (value as Partial<PromiseLike<Value>>).then === 'function';
}

/**
 * Returns a value unchanged. If it is a promise, its rejection counts as handled, since the caller may not await it.
 */
export function withHandledRejection<Answer>(answer: Answer): Answer {
  if (isThenable(answer)) Promise.resolve(answer).catch(() => {});
  return answer;
}

/** The kind of an option: a description and a test. */
export interface OptionKind<Value = never> {
  /** The type of the accepted values, for the compiler only. */
  readonly type?: Value;
  readonly takes: string;
  /** Whether the message may show a wrong value. If the value may be secret, `shown` describes it instead. */
  readonly isShown?: boolean;
  readonly shown?: (value: unknown) => string;
  holds(value: unknown): boolean;
}

/** The kinds of some options, by name. A kind that declares a type must declare the type of its option. */
export type OptionKinds<Options> = { readonly [Name in keyof Required<Options>]: OptionKind<Options[Name]> };

/** The options that a table of kinds describes and documents. No option is required. */
export type OptionsOf<Kinds extends Readonly<Record<string, OptionKind<unknown>>>> = {
  readonly [Name in keyof Kinds]?: (Kinds[Name] extends OptionKind<infer Value> ? Value : never) | undefined;
};

/**
 * Throws a TypeError for options that are not an object, an unknown option, a missing required option, or a value of a
 * wrong kind. So a mistake shows when the program starts, not at the first call. For an unknown option the error
 * suggests similar names. `undefined` counts as left out.
 */
export function assertOptions(
  what: string,
  options: unknown,
  kinds: Readonly<Record<string, OptionKind<unknown>>>,
  ...needs: readonly string[]
): void {
  assertNeeded(what, options);
  const given = options as Readonly<Record<string, unknown>>;
  assertKnownKeys(what, given, kinds);
  assertNeeded(what, options, ...needs);
  for (const name in kinds) {
    const [kind, value] = [kinds[name], given[name]];
    if (value !== undefined && kind?.holds(value) === false)
      throw new TypeError(
        `${what}: ${name} takes ${kind.takes}, not ${kind.shown?.(value) ?? described(value, kind.isShown)}`,
      );
  }
}

/** Throws a TypeError for options that are not an object, and for a required option that is missing. */
export function assertNeeded(what: string, options: unknown, ...needs: readonly string[]): void {
  // Without this test, errors and maps would count as empty options.
  if (typeof options !== 'object' || options === null || isIteratedOrLater(options))
    throw new TypeError(`${what} takes ${kindOf.record.takes}, not ${described(options, false)}`);
  const missing = needs.filter((name) => options[name as never] === undefined);
  if (missing.length > 0) throw new TypeError(`${what}: pass ${missing.join(', ')}`);
}

function isIteratedOrLater(options: object): boolean {
  return isThenable(options) || options instanceof Error || Symbol.iterator in options;
}

/** Throws a TypeError for an argument of a wrong kind. The message shows the code to write. */
export function assertArgument(takes: string, value: unknown, kind: OptionKind<unknown>, write: string): void {
  if (!kind.holds(value)) throw argumentMistake(takes, kindName(value), write);
}

/** {@link assertArgument} for an object or a function with the given methods. */
export function assertMethods(takes: string, value: unknown, methods: readonly string[], write: string): void {
  if (!hasMethods(value, methods)) throw argumentMistake(takes, kindName(value), write);
}

/** The common kinds. */
export const kindOf = {
  /** A value that is checked where it is used. */
  anything: { takes: 'anything', holds: () => true },
  flag: { takes: 'true or false', isShown: true, holds: (value) => typeof value === 'boolean' } as OptionKind<boolean>,
  number: { takes: 'a number', isShown: true, holds: (value) => typeof value === 'number' } as OptionKind<number>,
  count: {
    takes: 'a whole number from 1 up, or Infinity',
    isShown: true,
    holds: (value) => value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) > 0),
  } as OptionKind<number>,
  milliseconds: {
    takes: 'a number from 0 up, 0 for none',
    isShown: true,
    holds: (value) => typeof value === 'number' && value >= 0,
  } as OptionKind<number>,
  port: {
    takes: 'a port, 0 for a free one',
    isShown: true,
    holds: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
  } as OptionKind<number>,
  text: {
    takes: 'a text',
    isShown: true,
    holds: (value) => isText(value) && value !== '',
  } as OptionKind<string>,
  callback: { takes: 'a function', holds: (value) => typeof value === 'function' },
  list: { takes: 'a list', holds: Array.isArray },
  filledList: { takes: 'a list with entries', holds: (value) => Array.isArray(value) && value.length > 0 },
  texts: {
    takes: 'a list of texts',
    holds: (value) => Array.isArray(value) && value.every(isText),
  } as OptionKind<readonly string[]>,
  /** Texts that may be empty. */
  anyText: { takes: 'a text', holds: isText } as OptionKind<string>,
  iterable: { takes: 'a list', holds: (value) => Symbol.iterator in Object(value) },
  record: { takes: 'an object', holds: (value) => isRecord(value) && !isThenable(value) },
  textsByName: {
    takes: 'an object of texts by name',
    holds: (value) => isRecord(value) && Object.values(value).every((text) => text === undefined || isText(text)),
  } as OptionKind<Readonly<Record<string, string>>>,
  absolutePath: { takes: 'an absolute path', isShown: true, holds: isAbsolutePath } as OptionKind<string>,
  absolutePaths: {
    takes: 'a list of absolute paths',
    isShown: true,
    holds: (value) => Array.isArray(value) && value.every(isAbsolutePath),
  } as OptionKind<readonly string[]>,
} satisfies { readonly [name: string]: OptionKind<unknown> };

export function oneOf(...values: readonly (string | boolean)[]): OptionKind {
  const takes = values
    .map((value) => JSON.stringify(value))
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1')
    .replace(/.{100,160}, /g, '$&\n  ');
  return { takes, isShown: true, holds: (value) => values.includes(value as string) };
}

export function listOf(...values: readonly string[]): OptionKind {
  const takes = `a list of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  return { takes, isShown: true, holds: (value) => Array.isArray(value) && value.every((one) => values.includes(one)) };
}

/** An object or a function with the given methods. */
export function having(takes: string, ...methods: readonly string[]): OptionKind {
  return { takes: `${takes}, which has ${methods.join(', ')}`, holds: (value) => hasMethods(value, methods) };
}

export const signalKind: OptionKind = having('an AbortSignal', 'addEventListener', 'removeEventListener');

/** A clock with timers. */
export const timersKind: OptionKind = having('timers', 'now', 'set', 'clear', 'random');

/** `false`, or a value of another kind. */
export function orFalse<Value>({ takes, holds }: OptionKind<Value>): OptionKind<Value | false> {
  return { takes: `false or ${takes}`, holds: (value) => value === false || holds(value) };
}

/** A value of another kind, or a function that makes one. */
export function orFactory({ takes, holds }: OptionKind): OptionKind {
  return {
    takes: `${takes}, or a function that takes the toolkit and returns one`,
    holds: (value) => typeof value === 'function' || holds(value),
  };
}

function hasMethods(value: unknown, methods: readonly string[]): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  for (const method of methods) if (typeof value[method as keyof typeof value] !== 'function') return false;
  return true;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isAbsolutePath(value: unknown): boolean {
  return typeof value === 'string' && /^(?:[/\\]|[A-Za-z]:[/\\])/.test(value);
}

const maxShownChars = 200;

function described(value: unknown, isShown: boolean | undefined): string {
  const kind = kindName(value);
  if (kind === 'a promise') return `${kind}: await it`;
  if (isShown !== true || typeof value === 'function') return kind;
  // JSON has no NaN and no Infinity.
  if (typeof value === 'number') return String(value);
  const json = ifPossible(() => JSON.stringify(value) ?? String(value));
  return json?.slice(0, maxShownChars) ?? kind;
}

/** The right option for each common wrong key; many of these keys come from other libraries. */
const usualMistakes: Readonly<Record<string, string>> = {
  'createToolkit.onAsk': 'permissions: createPermissions({ onAsk })',
  'createToolkit.cwd': 'root: cwd',
  'createToolkit.mcpServers':
    'hosts: { mcp: new McpManager({ servers: mcpServers }) }, with McpManager of toolwright/mcp',
  'execute.sessionId': 'caller: { sessionId }',
  'execute.session': 'caller: { sessionId }',
  'call.sessionId': 'caller: { sessionId }',
  'call.session': 'caller: { sessionId }',
  'McpManager.mcpServers': 'servers: mcpServers',
  'scriptedShell.code': 'exitCode',
  'MCP.allowedTools': 'toolAllow',
  'MCP.disallowedTools': 'toolDeny',
  'createToolkit.tools': 'toolkit.registry.register(...tools) after createToolkit',
};

/**
 * For a key of `options` that is not in `known`, throws a TypeError that suggests similar names. A misspelt option must
 * not be ignored silently.
 */
export function assertKnownKeys(
  what: string,
  options: object,
  known: Readonly<Record<string, unknown>>,
  noun = 'option',
): void {
  for (const key in options) {
    if (Object.hasOwn(known, key)) continue;
    const instead = usualMistakes[`${what.split(' ')[0]}.${key}`];
    const next = instead === undefined ? didYouMean(key, Object.keys(known)) : ` Write ${instead}.`;
    throw new TypeError(`${what}: ${key} is no ${noun}.${next}`);
  }
}

/**
 * A TypeError for an argument of a wrong kind. The message names the expected kind, the given kind, and the code to
 * write.
 */
export function argumentMistake(takes: string, got: string, write: string): TypeError {
  return new TypeError(`${takes}, got ${got}; ${got === 'a promise' ? 'await it and ' : ''}write ${write}`);
}

/** Names the kind of a value without showing its content, which may be secret. */
export function kindName(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (isThenable(value)) return 'a promise';
  if (ArrayBuffer.isView(value)) return 'bytes';
  if (Array.isArray(value) && value.length === 0) return 'an empty list';
  if (Array.isArray(value))
    return `a list of ${Array.isArray(value[0]) ? 'lists' : kindName(value[0]).replace(/^an? (\w+)/, '$1s')}`;
  const fields = Object.keys(value).slice(0, 3).join(', ');
  // Instances of classes may have only private fields.
  const { name = '' } = (Object.getPrototypeOf(value)?.constructor ?? {}) as { readonly name?: string };
  if (fields === '' && name !== '' && name !== 'Object') return `an instance of ${name}`;
  return `an object with ${fields || 'no fields'}`;
}

/** The result of `work`; undefined if `work` throws. */
export function ifPossible<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
