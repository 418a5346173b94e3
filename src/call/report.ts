import type { ToolCall, ToolCallFailure, ToolCallResult, ToolCallSuccess } from '../core/call.js';
import { ToolError } from '../core/error.js';
import type { ToolMetadata, ToolResult } from '../core/tool.js';
import type { Run } from './run/run.js';
import { cutTo, scrubError, scrubLine, scrubText } from './run/scrub-result.js';

/** Twice what a tool may be called. */
const maxNameChars = 128;
/** Room for the line that says what a bounded output left out. */
const noticeChars = 1_000;

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Turns what became of one call into its one result. */
export class Report {
  readonly call: ToolCall;
  /** What hooks want the model to read; it ends on the result, ok or not. */
  readonly context: string[] = [];
  /** The name of the tool, once the call has started. */
  startedAs: string | undefined;
  readonly #beganAt: number;
  readonly #run: Run;

  constructor(call: ToolCall, run: Run) {
    this.call = call;
    this.#run = run;
    this.#beganAt = run.now();
  }

  get durationMs(): number {
    return Math.round((this.#run.now() - this.#beganAt) * 1_000) / 1_000;
  }

  succeeded(
    name: string,
    { title, metadata, attachments }: ToolResult,
    output: string,
    isSuppressed: boolean,
  ): ToolCallSuccess {
    const result: Writable<ToolCallSuccess> = {
      ok: true,
      callId: this.call.id,
      name,
      output,
      durationMs: this.durationMs,
    };
    if (title !== undefined) result.title = title;
    if (metadata !== undefined) result.metadata = metadata;
    if (attachments !== undefined) result.attachments = attachments;
    if (isSuppressed) result.suppressOutput = true;
    return this.#withContext(result);
  }

  /** `output` is the bounded, scrubbed text that follows `Error: `. */
  failed(name: string, error: ToolError, output: string, metadata?: ToolMetadata): ToolCallFailure {
    if (error.interrupt) this.#run.interrupt();
    const text = `Error: ${this.#bound(output.replace(/^(?:Error: )+/, ''))}`;
    const result: Writable<ToolCallFailure> = {
      ok: false,
      callId: this.call.id,
      name,
      output: text,
      durationMs: this.durationMs,
      error,
    };
    if (metadata !== undefined) result.metadata = metadata;
    return this.#withContext(result);
  }

  /**
   * The result of whatever was thrown on the way, which is a refusal until the call has started; the one place where it
   * is caught.
   */
  caught(thrown: unknown): ToolCallFailure {
    const run = this.#run;
    const error = scrubError(ToolError.from(thrown), run);
    // A name that the model made up is text like any other.
    const name = this.startedAs ?? scrubLine(this.call.name, run, maxNameChars);
    const result = this.failed(name, error, error.message, error.metadata);
    this.end(result);
    return result;
  }

  /**
   * Says that the call is over, and hands its result to the listener, which gets a copy: observing a call never changes
   * it.
   */
  end(result: ToolCallResult): void {
    const run = this.#run;
    if (!run.hasListener) return;
    const { callId, name, ok, durationMs } = result;
    const code = result.ok ? undefined : result.error.code;
    if (this.startedAs !== undefined)
      run.emit({ type: 'tool-end', callId, name, ok, durationMs, ...(code && { code }) });
    else if (code !== undefined) run.emit({ type: 'tool-refused', callId, name, code });
    const plain = result.ok ? result : { ...result, error: result.error.toJSON() };
    run.emit({ type: 'tool-result', callId, name, result: structuredClone(plain) });
  }

  /** Texts that no tool answers for are kept within the limit without being spilled. */
  #bound(text: string): string {
    return cutTo(this.#run.settings.limits.output.maxChars + noticeChars, text);
  }

  #withContext<Result extends Writable<ToolCallSuccess> | Writable<ToolCallFailure>>(result: Result): Result {
    if (this.context.length > 0) result.additionalContext = this.#bound(scrubText(this.context.join('\n'), this.#run));
    return result;
  }
}
