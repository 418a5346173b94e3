import type { ToolCall, ToolCallFailure, ToolCallSuccess } from '../core/call.js';
import { ToolError } from '../core/error.js';
import type { ToolMetadata, ToolResult } from '../core/tool.js';
import type { Run } from './run.js';
import { scrubError, scrubText } from './scrub-result.js';

/** Twice what a tool may be called. */
const maxNameChars = 128;

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Turns what became of one call into its one result. */
export class Report {
  readonly call: ToolCall;
  /** What hooks want the model to read; it ends on the result, ok or not. */
  readonly context: string[] = [];
  readonly #startedAt: number;
  readonly #run: Run;

  constructor(call: ToolCall, run: Run) {
    this.call = readable(call);
    this.#run = run;
    this.#startedAt = run.now();
  }

  get durationMs(): number {
    return Math.round((this.#run.now() - this.#startedAt) * 1_000) / 1_000;
  }

  succeeded(name: string, { title, metadata, attachments }: ToolResult, output: string, isSuppressed: boolean): ToolCallSuccess {
    const result: Writable<ToolCallSuccess> = { ok: true, callId: this.call.id, name, output, durationMs: this.durationMs };
    if (title !== undefined) result.title = title;
    if (metadata !== undefined) result.metadata = metadata;
    if (attachments !== undefined) result.attachments = attachments;
    if (isSuppressed) result.suppressOutput = true;
    return this.#withContext(result);
  }

  /** `output` is the bounded, scrubbed text that follows `Error: `. */
  failed(name: string, error: ToolError, output: string, metadata?: ToolMetadata): ToolCallFailure {
    if (error.interrupt) this.#run.interrupt();
    const text = `Error: ${output.replace(/^(?:Error: )+/, '')}`;
    const result: Writable<ToolCallFailure> = { ok: false, callId: this.call.id, name, output: text, durationMs: this.durationMs, error };
    if (metadata !== undefined) result.metadata = metadata;
    return this.#withContext(result);
  }

  /** The result of a call that never started; the one place where a refusal is caught. */
  refused(thrown: unknown): ToolCallFailure {
    const run = this.#run;
    const error = scrubError(ToolError.from(thrown), run);
    // A name that the model made up is text like any other.
    const name = scrubText(this.call.name.slice(0, maxNameChars), run);
    const result = this.failed(name, error, error.message, error.metadata);
    if (run.hasListener) run.emit({ type: 'tool-refused', callId: this.call.id, name, code: error.code });
    return result;
  }

  #withContext<Result extends Writable<ToolCallSuccess> | Writable<ToolCallFailure>>(result: Result): Result {
    if (this.context.length > 0) result.additionalContext = scrubText(this.context.join('\n'), this.#run);
    return result;
  }
}

/** A call as models emit it at their worst still has an id and a name to answer to. */
function readable(call: ToolCall): ToolCall {
  const { id, name, input } = (call ?? {}) as Partial<ToolCall>;
  return { id: typeof id === 'string' ? id : '', name: typeof name === 'string' ? name : '', input };
}
