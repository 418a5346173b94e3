import type { ToolCall, ToolCallFailure, ToolCallResult, ToolCallSuccess } from '../core/call.js';
import { ToolError } from '../core/error.js';
import { cutTo } from '../core/text/cut.js';
import type { ToolMetadata, ToolResult } from '../core/tool-result.js';
import { scrubError, scrubLine, scrubText } from './scrub-and-cut.js';
import type { Run } from './turn-run.js';

/** The maximum length of a name that the model invented: twice the longest name of a tool. */
const maxNameChars = 128;
/** Room for the notice in a cut output. */
const noticeChars = 1_000;

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Makes the result of a call. */
export class Report {
  readonly call: ToolCall;
  /** Texts of hooks for the model. They are added to the result of a successful or failed call. */
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

  /** The result for anything that was thrown. An error before the start of the call is a refusal. */
  caught(thrown: unknown): ToolCallFailure {
    const run = this.#run;
    const error = scrubError(ToolError.from(thrown), run);
    // The model may have invented the name, so it is scrubbed.
    const name = this.startedAs ?? scrubLine(this.call.name, run, maxNameChars);
    const result = this.failed(name, error, error.message, error.metadata);
    this.end(result);
    return result;
  }

  /** Tells the listener that the call is over. The listener gets a copy, so that it cannot change the result. */
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

  /** Cuts a text to the length limit. The part that is cut out is not saved to a file. */
  #bound(text: string): string {
    return cutTo(this.#run.settings.limits.output.maxChars + noticeChars, text);
  }

  #withContext<Result extends Writable<ToolCallSuccess> | Writable<ToolCallFailure>>(result: Result): Result {
    if (this.context.length > 0) result.additionalContext = this.#bound(scrubText(this.context.join('\n'), this.#run));
    return result;
  }
}
