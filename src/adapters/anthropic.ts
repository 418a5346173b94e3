import type { ToolCall, ToolCallResult } from '../core/call.js';
import type { ToolDefinitionJson } from '../core/registry/tool-definitions.js';
import { isRecord } from '../core/support/is-record.js';
import type { Attachment } from '../core/tool.js';
import { compileDefinitions, restoreInput } from './compile-schema.js';
import { attachmentNote, attachmentsOf, contextText, noOutput, resultText } from './result-text.js';
import { type ImageMediaType, isSendableImage, isSendablePdf } from './sendable-media.js';
import { recordsOf, wireCall } from './wire-records.js';

/** A tool as the Messages API takes it in `tools`. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: {
    readonly type: 'object';
    readonly properties?: unknown;
    readonly required?: string[];
    readonly [keyword: string]: unknown;
  };
  readonly input_examples?: unknown[];
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

/**
 * The definitions as the `tools` of a Messages API request. With `examples` the inputs that tools declare go along as
 * `input_examples`, which not every model takes. Default false. A tool whose schema cannot be sent is left out: see
 * `compileDiagnostics`.
 */
export function toAnthropicTools(
  definitions: readonly ToolDefinitionJson[],
  { examples = false } = {},
): AnthropicTool[] {
  return compileDefinitions(definitions, 'anthropic').map(({ name, description, inputSchema, inputExamples }) => ({
    name,
    description,
    input_schema: inputSchema as AnthropicTool['input_schema'],
    ...(examples && inputExamples !== undefined ? { input_examples: inputExamples } : {}),
  }));
}

/**
 * The calls in an answer of the Messages API: a whole message, its content, or one block. Text, thinking, tools that
 * the provider runs itself and anything unknown are left out. With the definitions that were offered, fields whose names
 * the API does not take get their own again. Never throws, whatever came.
 */
export function fromAnthropic(message: unknown, definitions: readonly ToolDefinitionJson[] = []): ToolCall[] {
  const content = isRecord(message) && message.type !== 'tool_use' ? message.content : message;
  return recordsOf(Array.isArray(content) ? content : [content])
    .filter((block) => block.type === 'tool_use')
    .map((block, index) => wireCall(block.id, block.name, block.input, index))
    .map((call) => ({ ...call, input: restoreInput(call, definitions, 'anthropic') }));
}

/**
 * The results as `tool_result` blocks, one each, in order: the output, then what hooks added as a text of its own, then
 * images and PDFs. An attachment that cannot be sent is named in a line of text. A failure says `is_error: true`.
 */
export function toAnthropicResults(results: readonly ToolCallResult[]): AnthropicToolResult[] {
  return results.map((result) => ({
    type: 'tool_result',
    tool_use_id: result.callId,
    content: contentOf(result),
    ...(result.ok ? {} : { is_error: true }),
  }));
}

function contentOf(result: ToolCallResult): AnthropicToolResult['content'] {
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
