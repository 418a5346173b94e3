import { assertArgument, assertOptions, kindName, kindOf, type OptionKinds } from './support/check-values.js';
import type { ToolMetadata } from './tool-result.js';

/**
 * Every error code. `retryable` means that a retry may succeed even without a `retryAfterMs`; see {@link
 * ToolError.retryable}.
 */
export const toolErrors = {
  /** The call never started: the run was aborted, or an earlier refusal ended the turn. */
  cancelled: { retryable: false },
  /** The run was aborted while the call was running; partial output is kept. */
  interrupted: { retryable: false },
  unknown_tool: { retryable: false },
  invalid_input: { retryable: false },
  /** The policy does not offer this tool to this caller, or the tool is disabled. */
  not_allowed: { retryable: false },
  queued_for_plan: { retryable: false },
  permission_denied: { retryable: false },
  denied_by_hook: { retryable: false },
  rate_limited: { retryable: true },
  timeout: { retryable: true },
  /** The tool needs an option that the program did not set; the message names the option. */
  not_configured: { retryable: false },
  file_not_found: { retryable: false },
  not_a_file: { retryable: false },
  path_not_absolute: { retryable: false },
  path_outside_root: { retryable: false },
  file_too_large: { retryable: false },
  unsupported_file: { retryable: false },
  /** The file has changed since it was read, or the workspace has changed since the call was authorised. */
  file_changed: { retryable: false },
  no_match: { retryable: false },
  not_unique: { retryable: false },
  /** Old and new text are the same. */
  no_change: { retryable: false },
  /** The input contains a redaction mark that the file does not contain. */
  redaction_in_edit: { retryable: false },
  command_denied: { retryable: false },
  sandbox_unavailable: { retryable: false },
  url_blocked: { retryable: false },
  network_failed: { retryable: true },
  http_error: { retryable: false },
  /** The MCP server is not connected or has disconnected; the message gives its state. */
  mcp_unavailable: { retryable: true },
  /** The tool of an MCP server reported a failure, or sent an invalid result. */
  mcp_tool_error: { retryable: false },
  search_unavailable: { retryable: true },
  task_not_found: { retryable: false },
  limit_reached: { retryable: false },
  /** Refused by the operating system: disk full, read-only, no permission. */
  storage_failed: { retryable: false },
  execution_failed: { retryable: false },
} as const satisfies Record<string, { readonly retryable: boolean }>;

/** The codes of this library. */
export type ToolErrorCode = keyof typeof toolErrors;

/**
 * The code of a failed call: a code of this library, or a tool's own code in snake_case. Programs decide by the code;
 * the message is for the model.
 */
export type AnyErrorCode = ToolErrorCode | (string & {});

/** Optional parts of a {@link ToolError}. */
export interface ToolErrorOptions {
  /** The original error. */
  readonly cause?: unknown;
  /** Ends the whole run, not just this call. Default false. */
  readonly interrupt?: boolean | undefined;
  /** Output before the failure. The output follows the message in the result. */
  readonly partialOutput?: string | undefined;
  /** Facts for programs, copied to the result. */
  readonly metadata?: ToolMetadata | undefined;
  /**
   * Milliseconds to wait before another try, as an HTTP `Retry-After` gives them. A finite number above 0 makes an
   * error of a remote service retryable; any other number is ignored.
   */
  readonly retryAfterMs?: number | undefined;
}

/** Codes of local decisions: a later retry gets the same decision. */
const localCodes: ReadonlySet<string> = new Set<ToolErrorCode>([
  'invalid_input',
  'unknown_tool',
  'permission_denied',
  'not_allowed',
  'denied_by_hook',
  'command_denied',
  'cancelled',
  'interrupted',
  'queued_for_plan',
]);

const codeForm = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

/** Whether an error may have this code: a text in snake_case. */
export function isErrorCode(value: unknown): value is AnyErrorCode {
  return typeof value === 'string' && codeForm.test(value);
}

/**
 * The milliseconds that an error asks to wait before a retry; undefined if `retryAfterMs` is not a finite number above
 * 0.
 */
export function askedPause({ retryAfterMs }: Pick<ToolError, 'retryAfterMs'>): number | undefined {
  return typeof retryAfterMs === 'number' && Number.isFinite(retryAfterMs) && retryAfterMs > 0
    ? retryAfterMs
    : undefined;
}

const optionKinds: OptionKinds<ToolErrorOptions> = {
  cause: kindOf.anything,
  interrupt: kindOf.flag,
  partialOutput: kindOf.anyText,
  metadata: kindOf.record,
  retryAfterMs: kindOf.number,
};

const brand: unique symbol = Symbol.for('toolwright.ToolError') as never;

/** The only error class of the library, with a code for programs and a message that tells the model the next step. */
export class ToolError extends Error {
  // Set explicitly, because bundlers may rename the class and Node prints the name of the class.
  static override readonly name = 'ToolError';
  override readonly name = 'ToolError';
  readonly code: AnyErrorCode;
  readonly interrupt: boolean;
  readonly partialOutput: string | undefined;
  readonly metadata: ToolMetadata | undefined;
  readonly retryAfterMs: number | undefined;
  readonly [brand] = true;

  /**
   * Throws a TypeError for a code that is not in snake_case, a message that is not a string, and an unknown or wrong
   * option.
   */
  constructor(code: AnyErrorCode, message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    if (!isErrorCode(code)) {
      const got = typeof code === 'string' ? JSON.stringify(code) : kindName(code);
      throw new TypeError(`ToolError: write the code in snake_case, such as "not_found", not ${got}`);
    }
    assertArgument('ToolError takes a message second', message, kindOf.anyText, `new ToolError('${code}', message)`);
    assertOptions('ToolError', options, optionKinds);
    this.code = code;
    this.interrupt = options.interrupt ?? false;
    this.partialOutput = options.partialOutput;
    this.metadata = options.metadata;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** Whether a retry may succeed: the table of codes says so, or a remote service gave a `retryAfterMs`. */
  get retryable(): boolean {
    const known = Object.hasOwn(toolErrors, this.code) ? toolErrors[this.code as ToolErrorCode] : undefined;
    return known?.retryable === true || (askedPause(this) !== undefined && !localCodes.has(this.code));
  }

  /** A copy of the error with another message, such as a scrubbed one, and without its `cause`. */
  with(message: string, options: ToolErrorOptions = {}): ToolError {
    const { code, interrupt, partialOutput, metadata, retryAfterMs } = this;
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    return new ToolError(code, message, { interrupt, partialOutput, metadata, retryAfterMs, ...given });
  }

  /** The parts that are safe to log or send: no stack, no cause. */
  toJSON(): { readonly code: AnyErrorCode; readonly message: string; readonly retryable: boolean } {
    return { code: this.code, message: this.message, retryable: this.retryable };
  }

  /** Recognises a ToolError of any copy of this package (`instanceof` fails when npm installs two). */
  static is(value: unknown): value is ToolError {
    if (typeof value !== 'object' || value === null || !(brand in value && 'code' in value)) return false;
    return isErrorCode(value.code);
  }

  /**
   * Turns any thrown value into a ToolError: a ToolError stays itself, an AbortError becomes `interrupted`, a
   * TimeoutError `timeout`, anything else `execution_failed`.
   */
  static from(thrown: unknown): ToolError {
    try {
      if (ToolError.is(thrown)) return thrown;
      if (thrown instanceof Error) {
        const code =
          thrown.name === 'AbortError'
            ? 'interrupted'
            : thrown.name === 'TimeoutError'
              ? 'timeout'
              : 'execution_failed';
        return new ToolError(code, describeError(thrown), { cause: thrown });
      }
      return new ToolError('execution_failed', describeThrown(thrown), { cause: thrown });
    } catch {
      // A hostile object whose getters or toString throw must not end the run.
      return new ToolError('execution_failed', 'The tool failed with a value that cannot be described.');
    }
  }
}

const noMessage = 'The tool failed without a message.';

/** The message of an error, or else its name. For a failed `fetch` the message of the cause follows. */
function describeError({ message, name, cause }: Error): string {
  const text = String(message);
  if (text === 'fetch failed' && cause instanceof Error)
    return `${text}: ${cause.message || shortFact('code' in cause ? cause.code : undefined) || cause.name}`;
  if (text.trim() !== '') return text;
  return typeof name !== 'string' || name === '' || name === 'Error' ? noMessage : name;
}

function describeThrown(thrown: unknown): string {
  if (typeof thrown === 'object' && thrown !== null) return describeObject(thrown);
  const text = thrown === undefined || thrown === null ? '' : String(thrown);
  return text.trim() === '' ? noMessage : text;
}

/**
 * Describes an object by its message, its own `toString`, or a few short fields. Other fields are left out, because the
 * object may be a request with all its headers.
 */
function describeObject(thrown: object): string {
  if ('message' in thrown && typeof thrown.message === 'string')
    return thrown.message.trim() === '' ? noMessage : thrown.message;
  if (Array.isArray(thrown)) return jsonOf(thrown.slice(0, maxShownItems).flatMap((entry) => shortFact(entry) ?? []));
  const own = typeof thrown.toString === 'function' ? String(thrown) : '';
  if (own.trim() !== '' && !own.startsWith('[object ')) return own;
  const facts = shownFields.map((name) => [name, shortFact(thrown[name as never])] as const);
  return jsonOf(Object.fromEntries(facts.filter(([, fact]) => fact !== undefined)));
}

const shownFields = ['status', 'statusText', 'code', 'name', 'reason', 'body'] as const;
const maxShownItems = 20;
const maxShownChars = 500;

/**
 * A number or a short text. A longer text is left out whole: a cut could leave half a credential, which the scrubber
 * would not recognise.
 */
function shortFact(value: unknown): string | number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint')
    return typeof value === 'bigint' ? shortFact(String(value)) : value;
  return typeof value === 'string' && value.trim() !== '' && value.length <= maxShownChars ? value : undefined;
}

function jsonOf(facts: object): string {
  return Object.keys(facts).length === 0 ? noMessage : JSON.stringify(facts);
}
