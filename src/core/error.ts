import type { ToolMetadata } from './tool.js';

/** Every way a call can fail. `retryable`: another try may succeed, whatever the error itself says; see {@link ToolError.retryable}. */
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
  /** The tool needs a host that was not passed; the message names the option. */
  not_configured: { retryable: false },
  file_not_found: { retryable: false },
  not_a_file: { retryable: false },
  path_not_absolute: { retryable: false },
  path_outside_root: { retryable: false },
  file_too_large: { retryable: false },
  unsupported_file: { retryable: false },
  /** The file is not what it was when it was read. */
  file_changed: { retryable: false },
  no_match: { retryable: false },
  not_unique: { retryable: false },
  /** Old and new text are the same. */
  no_change: { retryable: false },
  /** The input holds a redaction mark that the file does not hold. */
  redaction_in_edit: { retryable: false },
  command_denied: { retryable: false },
  sandbox_unavailable: { retryable: false },
  url_blocked: { retryable: false },
  network_failed: { retryable: true },
  http_error: { retryable: false },
  mcp_unavailable: { retryable: true },
  mcp_tool_error: { retryable: false },
  search_unavailable: { retryable: true },
  task_not_found: { retryable: false },
  limit_reached: { retryable: false },
  /** Refused by the operating system: disk full, read-only, no permission. */
  storage_failed: { retryable: false },
  execution_failed: { retryable: false },
} as const satisfies Record<string, { readonly retryable: boolean }>;

/** The code of a failed call: the contract for programs, where the message is for the model. */
export type ToolErrorCode = keyof typeof toolErrors;

/** What a {@link ToolError} may carry besides its code and message. */
export interface ToolErrorOptions {
  /** What was thrown underneath. */
  readonly cause?: unknown;
  /** Ends the whole run, not just this call. Default false. */
  readonly interrupt?: boolean;
  /** What the tool had put out before it failed; it follows the message in the result. */
  readonly partialOutput?: string;
  /** Facts for programs, copied to the result. */
  readonly metadata?: ToolMetadata;
  /** Earliest useful moment for another try, in milliseconds from now, as an HTTP `Retry-After` gives it. A finite one makes the error retryable, whatever its code. */
  readonly retryAfterMs?: number;
}

const brand: unique symbol = Symbol.for('toolwright.ToolError') as never;

/** The one error class of the library: a code for programs, a message that tells the model its next step. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: ToolErrorCode;
  readonly interrupt: boolean;
  readonly partialOutput: string | undefined;
  readonly metadata: ToolMetadata | undefined;
  readonly retryAfterMs: number | undefined;
  readonly [brand] = true;

  constructor(code: ToolErrorCode, message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.interrupt = options.interrupt ?? false;
    this.partialOutput = options.partialOutput;
    this.metadata = options.metadata;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** Whether another try may succeed: by the table of codes, or because the other side said when. */
  get retryable(): boolean {
    return toolErrors[this.code].retryable || Number.isFinite(this.retryAfterMs);
  }

  /** The same error with other words, for instance scrubbed ones. */
  with(message: string, options: ToolErrorOptions = {}): ToolError {
    const { interrupt, partialOutput, metadata, retryAfterMs } = this;
    return new ToolError(this.code, message, {
      interrupt,
      ...(partialOutput === undefined ? {} : { partialOutput }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...options,
    });
  }

  /** The parts that are safe to log or send: no stack, no cause. */
  toJSON(): { readonly code: ToolErrorCode; readonly message: string; readonly retryable: boolean } {
    return { code: this.code, message: this.message, retryable: this.retryable };
  }

  /** Recognises a ToolError of any copy of this package (`instanceof` fails when npm installs two). */
  static is(value: unknown): value is ToolError {
    return (
      typeof value === 'object' && value !== null && brand in value && 'code' in value && Object.hasOwn(toolErrors, String(value.code))
    );
  }

  /** Turns whatever was thrown into a ToolError: itself, `interrupted` for an AbortError, `timeout` for a TimeoutError, else `execution_failed`. */
  static from(thrown: unknown): ToolError {
    try {
      if (ToolError.is(thrown)) return thrown;
      if (thrown instanceof Error) {
        const code = thrown.name === 'AbortError' ? 'interrupted' : thrown.name === 'TimeoutError' ? 'timeout' : 'execution_failed';
        return new ToolError(code, describeError(thrown), { cause: thrown });
      }
      return new ToolError('execution_failed', describeThrown(thrown), { cause: thrown });
    } catch {
      // A hostile object whose getters or toString throw must not take the run down.
      return new ToolError('execution_failed', 'The tool failed with a value that cannot be described.');
    }
  }
}

const noMessage = 'The tool failed without a message.';

/** The message, or at least the kind of an error. */
function describeError({ message, name }: Error): string {
  const said = String(message);
  if (said.trim() !== '') return said;
  return typeof name !== 'string' || name === '' || name === 'Error' ? noMessage : name;
}

function describeThrown(thrown: unknown): string {
  if (typeof thrown === 'object' && thrown !== null) return describeObject(thrown);
  const said = thrown === undefined || thrown === null ? '' : String(thrown);
  return said.trim() === '' ? noMessage : said;
}

/** What an object says of itself: its message, its own text, else its fields. */
function describeObject(thrown: object): string {
  if ('message' in thrown && typeof thrown.message === 'string') return thrown.message.trim() === '' ? noMessage : thrown.message;
  const own = Array.isArray(thrown) || typeof thrown.toString !== 'function' ? '' : String(thrown);
  if (own.trim() !== '' && !own.startsWith('[object ')) return own;
  const json = shortJson(thrown);
  return json === undefined || json.length <= 2 ? noMessage : json;
}

const maxShownFields = 50;
const maxShownItems = 20;
const maxShownChars = 500;

/** JSON of bounded size. What is too long is left out whole, since a cut could leave half a credential that nobody recognises. */
function shortJson(value: object): string | undefined {
  let fields = 0;
  return JSON.stringify(value, (key, entry: unknown) => {
    fields += 1;
    if (fields > maxShownFields || key.length > maxShownChars) return undefined;
    if (entry instanceof Error) return describeError(entry);
    if (Array.isArray(entry)) return entry.slice(0, maxShownItems);
    const text = typeof entry === 'bigint' ? String(entry) : entry;
    return typeof text === 'string' && text.length > maxShownChars ? `[${text.length} characters]` : text;
  });
}
