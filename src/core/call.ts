import type { ToolError } from './error.js';
import type { PermissionQuestion } from './permission-question.js';
import type { Attachment, ToolMetadata } from './tool-result.js';

/** One tool call as a model emits it. An Anthropic `tool_use` block can be passed unchanged. */
export interface ToolCall {
  /** Not empty. */
  readonly id: string;
  /** Not empty. */
  readonly name: string;
  /** An object, or an object as JSON text. A call with any other value fails with `invalid_input`. */
  readonly input: unknown;
  /** Ignored; declared so that a provider's block can be passed unchanged. */
  readonly type?: string;
}

interface CallSummary {
  /** The `id` of the call. */
  readonly callId: string;
  /** The name under which the tool ran, or the name that the model used if no tool was found. */
  readonly name: string;
  /** Text for the model. On failure the text starts with `Error: `, exactly once. */
  readonly output: string;
  /** Milliseconds from the first stage to the last, including waits and questions. */
  readonly durationMs: number;
  /** Facts for programs and people; JSON-serialisable and scrubbed. */
  readonly metadata?: ToolMetadata;
  /** Text that hooks add for the model, after the output. */
  readonly additionalContext?: string;
  /** A hook asked the host not to show the output to people. The model still reads the output. */
  readonly suppressOutput?: true;
}

/** A successful call. */
export interface ToolCallSuccess extends CallSummary {
  readonly ok: true;
  readonly title?: string;
  /** Images, documents and other files that go to the model beside the output. */
  readonly attachments?: readonly Attachment[];
}

/** A call that was refused or failed. */
export interface ToolCallFailure extends CallSummary {
  readonly ok: false;
  /** The `code` of the error is for programs; its message is also in the output. */
  readonly error: ToolError;
}

/** The result of a call; each call has exactly one result. */
export type ToolCallResult = ToolCallSuccess | ToolCallFailure;

/** A result as plain data, for JSON and `postMessage`. */
export type PlainCallResult =
  | ToolCallSuccess
  | (Omit<ToolCallFailure, 'error'> & { readonly error: ReturnType<ToolError['toJSON']> });

/** The results of a turn: `results[i]` answers `calls[i]`. */
export interface ToolRun {
  readonly status: 'done';
  /** One for each call, in call order. */
  readonly results: readonly ToolCallResult[];
  /** True if a refusal ended the turn, or the run was aborted. */
  readonly interrupted: boolean;
}

/** The results of a turn that stopped with open questions: `results[i]` is undefined for a call that waits. */
export interface SuspendedRun {
  readonly status: 'suspended';
  /** In call order; undefined for a call that waits. */
  readonly results: readonly (ToolCallResult | undefined)[];
  /** The open questions; `resume` accepts answers keyed by question id. */
  readonly questions: readonly PermissionQuestion[];
  /**
   * Text to pass to `resume`. The text is signed, not encrypted: a change is detected, but anyone who has the text can
   * read the inputs of its calls.
   */
  readonly suspension: string;
  readonly interrupted: false;
}
