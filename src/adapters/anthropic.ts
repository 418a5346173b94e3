import type { PlainCallResult, ToolCall, ToolCallResult } from '../core/call.js';
import {
  assertToolkit,
  type CallerOr,
  type ChosenTools,
  definitionsKind,
  definitionsOf,
  readCallerAndOptions,
  type ToolSource,
} from '../core/registry/adapter-arguments.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { assertOptions, kindOf, listOf } from '../core/support/check-values.js';
import type { Attachment } from '../core/tool-result.js';
import {
  type AnthropicNativeOptions,
  type AnthropicNativeTool,
  fromNative,
  splitNativeTools,
} from './anthropic-native.js';
import { callsIn } from './calls-in-answer.js';
import { compileDefinitions, restoreInput } from './compile-schema.js';
import { attachmentNote, attachmentsOf, contextText, noOutput, resultText, wholeText } from './result-text.js';
import { gatherCalls } from './run-together.js';
import { type ImageMediaType, isSendableImage, isSendablePdf } from './sendable-media.js';
import { checkedResults, wireCall } from './wire-records.js';

export type { AnthropicNativeOptions, AnthropicNativeTool, AnthropicNativeType } from './anthropic-native.js';

/** A tool in `tools` of the Messages API. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: {
    readonly type: 'object';
    readonly properties?: unknown;
    readonly required?: string[];
    readonly [keyword: string]: unknown;
  };
  readonly input_examples?: Record<string, unknown>[];
  readonly defer_loading?: true;
  readonly eager_input_streaming?: true;
}

/** Text inside a `tool_result`. Never empty. */
export interface AnthropicText {
  readonly type: 'text';
  readonly text: string;
}

/** An image inside a `tool_result`. */
export interface AnthropicImage {
  readonly type: 'image';
  readonly source: { readonly type: 'base64'; readonly media_type: ImageMediaType; readonly data: string };
}

/** A PDF inside a `tool_result`. */
export interface AnthropicDocument {
  readonly type: 'document';
  readonly source: { readonly type: 'base64'; readonly media_type: 'application/pdf'; readonly data: string };
}

/** One answer to one `tool_use` block: a block for the content of the next user message. */
export interface AnthropicToolResult {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: (AnthropicText | AnthropicImage | AnthropicDocument)[];
  readonly is_error?: true;
}

/** The options of the SDK's tool runner for a call. */
export interface RunnerContext {
  /** Missing in early versions of the SDK. */
  readonly toolUse?: { readonly id: string } | undefined;
  readonly signal?: AbortSignal | null | undefined;
}

/** A tool for `client.beta.messages.toolRunner`. */
export interface RunnableTool extends AnthropicTool {
  readonly type: 'custom';
  /** Throws for a failure, which the runner turns into an `is_error` result. */
  readonly run: (input: unknown, context?: RunnerContext) => Promise<AnthropicToolResult['content']>;
  readonly parse: (input: unknown) => unknown;
}

interface ExampleOptions {
  readonly examples?: boolean | undefined;
}

const nativeKind = listOf('bash', 'text_editor', 'memory');

/**
 * Converts a toolkit or definitions into the `tools` of a Messages API request. `examples` (default false) sends the
 * examples of tools as `input_examples`, which not every model accepts. The `sending` options of a tool are sent too. A
 * tool whose schema the API cannot express is left out; `compileDiagnostics` gives the reason.
 */
export function toAnthropicTools(source: ToolSource, ...rest: CallerOr<ExampleOptions>): AnthropicTool[];
export function toAnthropicTools(
  source: ToolSource,
  ...rest: CallerOr<ExampleOptions & AnthropicNativeOptions>
): (AnthropicTool | AnthropicNativeTool)[];
export function toAnthropicTools(source: ToolSource, ...rest: unknown[]): (AnthropicTool | AnthropicNativeTool)[] {
  const kinds = { examples: kindOf.flag, native: nativeKind };
  const { caller, options } = readCallerAndOptions<ExampleOptions & AnthropicNativeOptions>(
    'toAnthropicTools',
    rest,
    kinds,
  );
  const { tools, others } = splitNativeTools(definitionsOf('toAnthropicTools', source, caller), options.native ?? []);
  const described = compileDefinitions(others, 'anthropic').map(
    ({ name, description, inputSchema, inputExamples, sending = {} }): AnthropicTool => ({
      name,
      description,
      input_schema: inputSchema as AnthropicTool['input_schema'],
      ...(options.examples === true && inputExamples !== undefined
        ? { input_examples: inputExamples as Record<string, unknown>[] }
        : {}),
      ...(sending.deferLoading === true ? { defer_loading: true } : {}),
      ...(sending.eagerInput === true ? { eager_input_streaming: true } : {}),
    }),
  );
  return [...tools, ...described];
}

/**
 * Returns the calls in an answer of the Messages API: a whole message, its content, or one block. Text, thinking, tools
 * of the provider and unknown blocks are left out. Throws a TypeError for any other value. Pass the same native types
 * as to {@link toAnthropicTools}. Pass the offered definitions, or their toolkit, to restore the original names of
 * fields that were renamed for the API.
 */
export function fromAnthropic(
  message: unknown,
  options: Partial<AnthropicNativeOptions & { readonly definitions: ToolSource }> = {},
): ToolCall[] {
  assertOptions('fromAnthropic', options, { native: nativeKind, definitions: kindOf.anything });
  const { native = [] } = options;
  const definitions = definitionsOf('fromAnthropic: definitions', options.definitions ?? []);
  return callsIn('anthropic', message, ({ type }) => type === 'tool_use')
    .map((block, index) => fromNative(wireCall(block.id, block.name, block.input, index), native))
    .map((call) => ({ ...call, input: restoreInput(call, definitions, 'anthropic') }));
}

/**
 * Converts each result into a `tool_result` block, in order: the output, then text added by hooks, then images and
 * PDFs. An attachment that cannot be sent becomes a line of text with its name. A failure has `is_error: true`.
 */
export function toAnthropicResults(results: readonly ToolCallResult[]): AnthropicToolResult[] {
  return checkedResults('toAnthropicResults', results).map((result) => ({
    type: 'tool_result',
    tool_use_id: result.callId,
    content: contentOf(result),
    ...(result.ok ? {} : { is_error: true }),
  }));
}

/**
 * Creates a caller's tools for the tool runner of `@anthropic-ai/sdk`. `examples` (default false) sends the examples of
 * tools. The runner has no approvals, so questions go to `permissions.onAsk`.
 */
export function toRunnableTools(toolkit: Toolkit, ...rest: CallerOr<ExampleOptions & ChosenTools>): RunnableTool[] {
  assertToolkit('toRunnableTools', toolkit);
  const kinds = { examples: kindOf.flag, definitions: definitionsKind };
  const { caller, options } = readCallerAndOptions<ExampleOptions & ChosenTools>('toRunnableTools', rest, kinds);
  const start = gatherCalls(toolkit);
  const { examples, definitions = toolkit.definitions(caller) } = options;
  return toAnthropicTools(definitions, { examples }).map(({ name, ...tool }) => ({
    ...tool,
    name,
    type: 'custom',
    parse: (input) => input,
    run: async (sent, context) => {
      const input = restoreInput({ name, input: sent }, definitions, 'anthropic');
      const result = await start({ id: context?.toolUse?.id, name, input, caller, signal: context?.signal });
      if (result.ok) return contentOf(result);
      // The runner adds `Error: ` itself.
      throw new Error(wholeText(result).replace(/^Error: /, ''));
    },
  }));
}

function contentOf(result: ToolCallResult | PlainCallResult): AnthropicToolResult['content'] {
  const texts = [resultText(result), contextText(result)].filter((text) => text !== '');
  const content = [...texts.map(textBlock), ...attachmentsOf(result).map(attachmentBlock)];
  return content.length === 0 ? [textBlock(noOutput)] : content;
}

function attachmentBlock(attachment: Attachment): AnthropicText | AnthropicImage | AnthropicDocument {
  const { data } = attachment;
  if (isSendableImage(attachment))
    return { type: 'image', source: { type: 'base64', media_type: attachment.mediaType, data } };
  if (isSendablePdf(attachment))
    return { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } };
  return textBlock(attachmentNote(attachment));
}

function textBlock(text: string): AnthropicText {
  return { type: 'text', text };
}
