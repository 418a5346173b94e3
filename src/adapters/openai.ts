import type { ToolCall, ToolCallResult } from '../core/call.js';
import {
  type CallerThen,
  definitionsOf,
  readCallerAndOptions,
  type ToolSource,
} from '../core/registry/adapter-arguments.js';
import type { JsonSchemaObject } from '../core/schema/json-schema.js';
import { assertOptions, isRecord, kindOf, listOf, oneOf } from '../core/support/check-values.js';
import type { Attachment } from '../core/tool-result.js';
import { callsIn } from './calls-in-answer.js';
import { compileDefinitions, compileSchema } from './compile-schema.js';
import {
  isNativeCall,
  nativeCalls,
  nativeOutputs,
  type OpenAINativeOutput,
  type OpenAINativeTool,
  type OpenAINativeType,
  type OpenAIOutputPart,
  responseItems,
  splitNativeTools,
} from './openai-native.js';
import { attachmentsOf, noOutput, partsOf, wholeText } from './result-text.js';
import { isSendableImage, isSendablePdf } from './sendable-media.js';
import { checkedResults, parseArguments, type WireRecord, wireCall } from './wire-records.js';

export type {
  OpenAINativeOutput,
  OpenAINativeTool,
  OpenAINativeType,
  OpenAIOutputPart,
  OpenAIShellOutput,
} from './openai-native.js';

/** A tool in `tools` of Chat Completions. */
export interface OpenAIChatTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonSchemaObject;
    readonly strict?: boolean;
  };
}

/** A tool in `tools` of the Responses API. */
export interface OpenAIResponsesTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchemaObject;
  readonly strict: boolean;
}

/** Options of {@link toOpenAITools}. */
export interface OpenAIToolOptions<Api extends 'chat' | 'responses' = 'chat' | 'responses'> {
  readonly api: Api;
  /**
   * Requests strict arguments for each tool whose schema fits strict mode; the other tools get `strict: false`. Default
   * false.
   */
  readonly strict?: boolean;
  /**
   * Native tool types to offer, for the Responses API. They replace Bash and ApplyPatch if these tools are among the
   * definitions. Default: none.
   */
  readonly native?: readonly OpenAINativeType[] | undefined;
}

/** One answer to one call of Chat Completions. */
export interface OpenAIToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
}

/** One answer to one `function_call` of the Responses API: an item for the next `input`. */
export interface OpenAIFunctionOutput {
  readonly type: 'function_call_output';
  readonly call_id: string;
  readonly output: string | OpenAIOutputPart[];
}

/** Options of {@link toOpenAIOutputs}. */
export interface OpenAIOutputOptions {
  /** The response or its output list. Required if it has calls of native types, which have their own result types. */
  readonly answer: unknown;
}

/**
 * Converts a toolkit or definitions into the `tools` of a request. With `strict`, optional fields become nullable, as
 * strict mode requires, and the pipeline treats a `null` of the model as absent. A tool whose schema the API cannot
 * express is left out; `compileDiagnostics` gives the reason.
 */
export function toOpenAITools(source: ToolSource, ...rest: CallerThen<OpenAIToolOptions<'chat'>>): OpenAIChatTool[];
export function toOpenAITools(
  source: ToolSource,
  ...rest: CallerThen<OpenAIToolOptions<'responses'> & { readonly native?: undefined }>
): OpenAIResponsesTool[];
export function toOpenAITools(
  source: ToolSource,
  ...rest: CallerThen<OpenAIToolOptions<'responses'>>
): (OpenAIResponsesTool | OpenAINativeTool)[];
export function toOpenAITools(
  source: ToolSource,
  ...rest: CallerThen<OpenAIToolOptions>
): OpenAIChatTool[] | (OpenAIResponsesTool | OpenAINativeTool)[];
export function toOpenAITools(
  source: ToolSource,
  ...rest: CallerThen<OpenAIToolOptions>
): OpenAIChatTool[] | (OpenAIResponsesTool | OpenAINativeTool)[] {
  const native = listOf('local_shell', 'shell', 'apply_patch');
  const kinds = { api: oneOf('chat', 'responses'), strict: kindOf.flag, native };
  const { caller, options } = readCallerAndOptions<OpenAIToolOptions>('toOpenAITools', rest, kinds);
  const { api, strict = false, native: types = [] } = options;
  const definitions = definitionsOf('toOpenAITools', source, caller, ", { api: 'chat' }");
  if (api === undefined)
    throw new TypeError(
      'toOpenAITools: api takes "chat" or "responses"; write toOpenAITools(toolkit, { api: "chat" })',
    );
  if (api === 'chat' && types.length > 0)
    throw new TypeError("toOpenAITools: native types need the Responses API; pass api: 'responses'");
  const { tools: offered, others } = splitNativeTools(definitions, types);
  const tools = compileDefinitions(others, 'openai').map(({ name, description, inputSchema }) => {
    const exact = strict ? compileSchema(inputSchema, 'openai-strict').schema : undefined;
    return { name, description, parameters: exact ?? inputSchema, strict: exact !== undefined };
  });
  // The Responses API defaults to strict, so it gets `strict: false`. Compatible chat servers may not know the field.
  if (api === 'responses') return [...offered, ...tools.map((tool) => ({ type: 'function' as const, ...tool }))];
  return tools.map(({ strict: isStrict, ...tool }) => ({
    type: 'function',
    function: { ...tool, ...(strict ? { strict: isStrict } : {}) },
  }));
}

/**
 * Returns the calls in an answer. Accepts a whole answer, a choice or a message of Chat Completions, and a whole
 * answer, its output list or one item of the Responses API. Arguments that are not JSON stay text, so the call fails
 * with `invalid_input`. Throws a TypeError for any other value.
 */
export function fromOpenAI(answer: unknown): ToolCall[] {
  return callsIn('openai', answer, isCall).flatMap((call, index) => {
    const native = nativeCalls(call, index);
    if (native !== undefined) return native;
    const chat = [call.function, call.custom].find(isRecord);
    if (chat !== undefined) return wireCall(call.id, chat.name, parseArguments(chat.arguments ?? chat.input), index);
    return wireCall(call.call_id ?? call.id, call.name, parseArguments(call.arguments ?? call.input), index);
  });
}

/**
 * Converts each result into a `role: 'tool'` message, in order. Such a message accepts only text, so each attachment
 * becomes a line with its name.
 */
export function toOpenAIMessages(results: readonly ToolCallResult[]): OpenAIToolMessage[] {
  return checkedResults('toOpenAIMessages', results).map((result) => ({
    role: 'tool',
    tool_call_id: result.callId,
    content: wholeText(result, attachmentsOf(result)) || noOutput,
  }));
}

/**
 * Converts each result into a `function_call_output` item, in order: text, or a list of parts with images or PDFs. Pass
 * the `answer` with the calls to get the items of native types; the commands of one `shell_call` share one item.
 */
export function toOpenAIOutputs(results: readonly ToolCallResult[]): OpenAIFunctionOutput[];
export function toOpenAIOutputs(
  results: readonly ToolCallResult[],
  options: OpenAIOutputOptions,
): (OpenAIFunctionOutput | OpenAINativeOutput)[];
export function toOpenAIOutputs(
  results: readonly ToolCallResult[],
  options: Partial<OpenAIOutputOptions> = {},
): (OpenAIFunctionOutput | OpenAINativeOutput)[] {
  assertOptions('toOpenAIOutputs', options, { answer: kindOf.anything });
  if (options.answer !== undefined) callsIn('openai', options.answer, isCall);
  const items = responseItems(options.answer);
  const nativeOf = nativeOutputs(items);
  const custom = new Set(items.map(({ type, call_id }) => type === 'custom_tool_call' && call_id));
  return checkedResults('toOpenAIOutputs', results).flatMap((result): (OpenAIFunctionOutput | OpenAINativeOutput)[] => {
    const type = custom.has(result.callId) ? 'custom_tool_call_output' : 'function_call_output';
    return nativeOf(result) ?? [{ type, call_id: result.callId, output: outputOf(result) }];
  });
}

// Compatible chat servers sometimes leave `type` out; the payload shows the type too.
function isCall(entry: WireRecord): boolean {
  const isItem = entry.type === 'function_call' || entry.type === 'custom_tool_call';
  return isItem || isNativeCall(entry) || isRecord(entry.function) || isRecord(entry.custom);
}

function outputOf(result: ToolCallResult): OpenAIFunctionOutput['output'] {
  return partsOf<OpenAIOutputPart>(result, (text) => ({ type: 'input_text', text }), attachmentPart);
}

function attachmentPart(attachment: Attachment): OpenAIOutputPart | undefined {
  const url = `data:${attachment.mediaType};base64,${attachment.data}`;
  if (isSendableImage(attachment)) return { type: 'input_image', image_url: url, detail: 'auto' };
  if (isSendablePdf(attachment))
    return { type: 'input_file', file_data: url, filename: attachment.name ?? 'document.pdf' };
  return undefined;
}
