import type { ToolCall, ToolCallResult } from '../core/call.js';
import type { ToolDefinitionJson } from '../core/registry/tool-definitions.js';
import type { JsonSchemaObject } from '../core/schema/json-schema.js';
import { isRecord } from '../core/support/is-record.js';
import type { Attachment } from '../core/tool.js';
import { compileDefinitions, compileSchema } from './compile-schema.js';
import { attachmentNote, attachmentsOf, contextText, noOutput, resultText } from './result-text.js';
import { isSendableImage, isSendablePdf } from './sendable-media.js';
import { recordsOf, type WireRecord, wireCall } from './wire-records.js';

/** A tool as Chat Completions take it in `tools`. */
export interface OpenAIChatTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonSchemaObject;
    readonly strict?: boolean;
  };
}

/** A tool as the Responses API takes it in `tools`. */
export interface OpenAIResponsesTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchemaObject;
  readonly strict: boolean;
}

/** Which API the tools are for, and whether to ask for strict arguments. */
export interface OpenAIToolOptions<Api extends 'chat' | 'responses' = 'chat' | 'responses'> {
  readonly api: Api;
  /** Ask for strict arguments for each tool whose schema can say so; the others get `strict: false`. Default false. */
  readonly strict?: boolean;
}

/** One answer to one call of Chat Completions. */
export interface OpenAIToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
}

/** A part of an output in the Responses API. */
export type OpenAIOutputPart =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly image_url: string; readonly detail: 'auto' }
  | { readonly type: 'input_file'; readonly file_data: string; readonly filename: string };

/** One answer to one `function_call` of the Responses API: an item for the next `input`. */
export interface OpenAIFunctionOutput {
  readonly type: 'function_call_output';
  readonly call_id: string;
  readonly output: string | OpenAIOutputPart[];
}

/**
 * The definitions as the `tools` of a request. With `strict`, fields that may be missing are offered as nullable, as
 * strict mode wants it; the `null` that a model then sends means that the field is absent, and the pipeline takes it
 * so. A tool whose schema cannot be sent is left out: see `compileDiagnostics`.
 */
export function toOpenAITools(
  definitions: readonly ToolDefinitionJson[],
  options: OpenAIToolOptions<'chat'>,
): OpenAIChatTool[];
export function toOpenAITools(
  definitions: readonly ToolDefinitionJson[],
  options: OpenAIToolOptions<'responses'>,
): OpenAIResponsesTool[];
export function toOpenAITools(
  definitions: readonly ToolDefinitionJson[],
  options: OpenAIToolOptions,
): OpenAIChatTool[] | OpenAIResponsesTool[];
export function toOpenAITools(
  definitions: readonly ToolDefinitionJson[],
  { api, strict = false }: OpenAIToolOptions,
): OpenAIChatTool[] | OpenAIResponsesTool[] {
  const strictSchemas = new Map(
    definitions.map((one) => [one.name, strict ? compileSchema(one.inputSchema, 'openai-strict').schema : undefined]),
  );
  const tools = compileDefinitions(definitions, 'openai').map(({ name, description, inputSchema }) => {
    const exact = strictSchemas.get(name);
    return { name, description, parameters: exact ?? inputSchema, strict: exact !== undefined };
  });
  // The Responses API means strict where nothing is said; compatible chat servers may not know the word, so they hear
  // it only on request.
  if (api === 'responses') return tools.map((tool) => ({ type: 'function', ...tool }));
  return tools.map(({ strict: isStrict, ...tool }) => ({
    type: 'function',
    function: { ...tool, ...(strict ? { strict: isStrict } : {}) },
  }));
}

/**
 * The calls in an answer: a message, a choice or a whole answer of Chat Completions, or a whole answer, its output list
 * or one item of the Responses API. Arguments that are no JSON stay text, which answers `invalid_input`. Never throws,
 * whatever came.
 */
export function fromOpenAI(answer: unknown): ToolCall[] {
  return callsIn(answer).map((call, index) => {
    const chat = [call.function, call.custom].find(isRecord);
    if (chat !== undefined) return wireCall(call.id, chat.name, parseArguments(chat.arguments ?? chat.input), index);
    return wireCall(call.call_id ?? call.id, call.name, parseArguments(call.arguments), index);
  });
}

/**
 * The results as `role: 'tool'` messages, one each, in order. Chat Completions take only text there: attachments are
 * named in a line each.
 */
export function toOpenAIMessages(results: readonly ToolCallResult[]): OpenAIToolMessage[] {
  return results.map((result) => ({
    role: 'tool',
    tool_call_id: result.callId,
    content: plainText(result, attachmentsOf(result)) || noOutput,
  }));
}

/**
 * The results as `function_call_output` items, one each, in order: text alone, or a list of parts where there are
 * images or PDFs.
 */
export function toOpenAIOutputs(results: readonly ToolCallResult[]): OpenAIFunctionOutput[] {
  return results.map((result) => ({ type: 'function_call_output', call_id: result.callId, output: outputOf(result) }));
}

function callsIn(answer: unknown): WireRecord[] {
  if (Array.isArray(answer)) return recordsOf(answer).filter(isCall);
  if (!isRecord(answer)) return [];
  if (Array.isArray(answer.choices)) return callsIn(answer.choices[0]);
  if (isRecord(answer.message)) return callsIn(answer.message);
  if (isCall(answer)) return [answer];
  return recordsOf(Array.isArray(answer.output) ? answer.output : answer.tool_calls).filter(isCall);
}

// Compatible chat servers leave `type` out now and then; the payload tells as well.
function isCall(entry: WireRecord): boolean {
  return entry.type === 'function_call' || isRecord(entry.function) || isRecord(entry.custom);
}

function parseArguments(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function plainText(result: ToolCallResult, unseen: readonly Attachment[]): string {
  const body = [resultText(result), ...unseen.map(attachmentNote)].filter((text) => text !== '').join('\n');
  return [body, contextText(result)].filter((text) => text !== '').join('\n\n');
}

function outputOf(result: ToolCallResult): OpenAIFunctionOutput['output'] {
  const attachments = attachmentsOf(result);
  const parts = attachments.flatMap(attachmentPart);
  const unseen = attachments.filter((attachment) => attachmentPart(attachment).length === 0);
  const text = plainText(result, unseen);
  if (parts.length === 0) return text || noOutput;
  return text === '' ? parts : [{ type: 'input_text', text }, ...parts];
}

function attachmentPart(attachment: Attachment): OpenAIOutputPart[] {
  const url = `data:${attachment.mediaType};base64,${attachment.data}`;
  if (isSendableImage(attachment)) return [{ type: 'input_image', image_url: url, detail: 'auto' }];
  if (isSendablePdf(attachment))
    return [{ type: 'input_file', file_data: url, filename: attachment.name ?? 'document.pdf' }];
  return [];
}
