import { jsonSchema, type ModelMessage, type Tool, type ToolModelMessage, type ToolSet } from 'ai';
import type { PlainCallResult, ToolCall, ToolCallResult } from '../core/call.js';
import {
  assertToolkit,
  type CallerOr,
  type ChosenTools,
  definitionsKind,
  readCallerAndOptions,
} from '../core/registry/adapter-arguments.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { isRecord, kindOf, oneOf } from '../core/support/check-values.js';
import type { Attachment, ToolMetadata } from '../core/tool-result.js';
import { callsIn } from './calls-in-answer.js';
import { compileDefinitions } from './compile-schema.js';
import { pendingApprovals } from './pending-approvals.js';
import { partsOf, wholeText } from './result-text.js';
import { gatherCalls, type StartCall, type StartedCall, type ToolProgress } from './run-together.js';
import { isSendableImage, isSendablePdf } from './sendable-media.js';
import { checkedResults, recordsOf, type WireRecord, wireCall } from './wire-records.js';

/** A preliminary result of a running call. */
export interface AiToolProgress {
  readonly callId: string;
  readonly name: string;
  readonly isPreliminary: true;
  readonly title?: string;
  readonly metadata?: ToolMetadata;
}

/** Options of tools for the AI SDK. */
export interface AiToolOptions extends ChosenTools {
  /**
   * How calls get approval. `sdk`: a call that needs an answer becomes a `tool-approval-request` part. `toolkit`: the
   * call waits for `permissions.onAsk`. Default `sdk`.
   */
  readonly approvals?: 'sdk' | 'toolkit' | undefined;
  /** Whether the tools have `execute`. Pass false if the host runs the calls itself. Default true. */
  readonly execute?: boolean | undefined;
}

/** The options that the SDK passes to `needsApproval`. */
interface Asking {
  readonly toolCallId: string;
  readonly messages: readonly ModelMessage[];
}

/** The options that the SDK passes to `execute`. */
interface Running {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal;
}

type ModelOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>;
type ContentPart = Extract<ModelOutput, { type: 'content' }>['value'][number];

/**
 * Creates a caller's tools for `generateText`, `streamText` and agents. The output of a tool is the whole result as
 * plain data, even for a failure. The model gets the text, images and PDFs of the result.
 */
export function toAiTools(toolkit: Toolkit, ...rest: CallerOr<AiToolOptions>): ToolSet {
  assertToolkit('toAiTools', toolkit);
  const kinds = { approvals: oneOf('sdk', 'toolkit'), execute: kindOf.flag, definitions: definitionsKind };
  const { caller, options } = readCallerAndOptions<AiToolOptions>('toAiTools', rest, kinds);
  const { approvals = 'sdk', execute = true, definitions = toolkit.definitions(caller) } = options;
  const start = gatherCalls(toolkit);
  const asked = pendingApprovals(toolkit, caller);
  const approved = new Set<string>();
  const needsApproval =
    (name: string) =>
    async (input: unknown, { toolCallId: id, messages }: Asking) => {
      const question = await asked.questionOf(id, name, input);
      if (question === undefined) return false;
      // Once an approval is answered, the SDK passes messages that contain the call. Such a call is approved only if
      // its question was asked before.
      if (!holdsCall(messages, id)) asked.note(id, question);
      else if (asked.isAsked(id, question)) approved.add(id);
      else return false;
      return true;
    };
  const run =
    (name: string) =>
    (input: unknown, { toolCallId: id, abortSignal: signal }: Running) => {
      const answers = approved.delete(id) ? asked.takeApproval(id) : {};
      return withProgress({ id, name, input, caller, signal, answers }, start);
    };
  const tools = compileDefinitions(definitions, 'plain').map(({ name, description, inputSchema, inputExamples }) => [
    name,
    {
      description,
      inputSchema: jsonSchema(inputSchema),
      toModelOutput: ({ output }: { output: PlainCallResult }) => modelOutput(output),
      ...(inputExamples === undefined ? {} : { inputExamples: inputExamples.map((input) => ({ input })) }),
      ...(execute && approvals === 'sdk' ? { needsApproval: needsApproval(name) } : {}),
      ...(execute ? { execute: run(name) } : {}),
    },
  ]);
  return Object.fromEntries(tools) as ToolSet;
}

/**
 * Returns the calls that have no result, for a host that runs calls itself. Accepts a result of the SDK, its
 * `toolCalls`, a step, messages, or parts of messages. Throws a TypeError for any other value.
 */
export function fromAi(answer: unknown): ToolCall[] {
  const calls = callsIn('ai-sdk', answer, isCall).filter((call) => !call.providerExecuted);
  // A step has its calls twice: in its content and in its toolCalls.
  const byId = new Map(calls.map((call) => [call.toolCallId ?? call, call]));
  return Array.from(byId.values(), ({ toolCallId, toolName, type, input, args }, index) =>
    wireCall(toolCallId, toolName ?? String(type).replace(/^tool-/, ''), input ?? args, index),
  );
}

/** Converts the results of a turn into the message that answers the calls. */
export function toAiMessage(results: readonly ToolCallResult[]): ToolModelMessage {
  return {
    role: 'tool',
    content: checkedResults('toAiMessage', results).map((result) => ({
      type: 'tool-result',
      toolCallId: result.callId,
      toolName: result.name,
      output: modelOutput(result),
    })),
  };
}

/** Yields the progress of a call, skipping outdated reports, and then its result. */
async function* withProgress(started: StartedCall, start: StartCall): AsyncGenerator<AiToolProgress | PlainCallResult> {
  let latest: ToolProgress | undefined;
  let wake = (): void => undefined;
  const ended = start({
    ...started,
    onProgress: (progress) => {
      latest = progress;
      wake();
    },
  });
  for (;;) {
    if (latest !== undefined) {
      const { type, ...shown }: ToolProgress = latest;
      latest = undefined;
      yield { ...shown, isPreliminary: true };
      continue;
    }
    const progress = new Promise<undefined>((resolve) => {
      wake = () => resolve(undefined);
    });
    const result = await Promise.race([ended, progress]);
    if (result === undefined) continue;
    yield result;
    return;
  }
}

/** The content for the model. `output` is checked, since it may come from a store or a client. */
function modelOutput(output: PlainCallResult | ToolCallResult | AiToolProgress): ModelOutput {
  if (!isRecord(output) || !('output' in output) || typeof output.output !== 'string')
    return { type: 'error-text', value: 'Error: The call has not ended. Make it again if its result is needed.' };
  if (!output.ok) return { type: 'error-text', value: wholeText(output) };
  const value = partsOf<ContentPart>(output, (text) => ({ type: 'text', text }), attachmentPart);
  return typeof value === 'string' ? { type: 'text', value } : { type: 'content', value };
}

function attachmentPart(attachment: Attachment): ContentPart | undefined {
  const { mediaType, data, name } = attachment;
  if (isSendableImage(attachment)) return { type: 'image-data', data, mediaType };
  if (isSendablePdf(attachment))
    return { type: 'file-data', data, mediaType, ...(name === undefined ? {} : { filename: name }) };
  return undefined;
}

/** Whether a record is a call in a model message, a result or a UI message. */
function isCall({ type, state, toolCallId, ...rest }: WireRecord): boolean {
  if (type === 'tool-call' || state === 'input-available') return true;
  return type === undefined && toolCallId !== undefined && !('result' in rest || 'output' in rest);
}

function holdsCall(messages: readonly ModelMessage[], id: string): boolean {
  return messages.some(({ content }) =>
    recordsOf(content).some((part) => part.type === 'tool-call' && part.toolCallId === id),
  );
}
