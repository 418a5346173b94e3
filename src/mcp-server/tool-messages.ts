import type { CallToolResult, ContentBlock, Tool as McpTool, Progress } from '@modelcontextprotocol/sdk/types.js';
import type { ToolCallResult } from '../core/call.js';
import type { ToolEvent } from '../core/event.js';
import type { ToolDefinitionJson } from '../core/registry/tool-definitions.js';
import { defaultRisk } from '../core/risk.js';
import type { Tool } from '../core/tool.js';
import type { Attachment } from '../core/tool-result.js';

/** Converts a tool into the form of the protocol. The annotations follow from its side effect and from `idempotent`. */
export function mcpToolOf({ name, description, inputSchema }: ToolDefinitionJson, tool: Tool | undefined): McpTool {
  const { sideEffect = 'spawns', idempotent = false } = tool ?? {};
  const risk = defaultRisk(sideEffect);
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    annotations: {
      readOnlyHint: sideEffect === 'none' || sideEffect === 'readonly',
      destructiveHint: risk !== 'none' && risk !== 'low',
      idempotentHint: idempotent,
      openWorldHint: sideEffect === 'network' || sideEffect === 'spawns',
    },
  };
}

/** Converts a result into the form of the protocol. `_meta` contains the code of an error. */
export function mcpResultOf(result: ToolCallResult): CallToolResult {
  const texts = [result.output, result.additionalContext ?? ''].filter((text) => text.trim() !== '');
  const attachments = result.ok ? (result.attachments ?? []) : [];
  const content: ContentBlock[] = [
    ...texts.map(textBlock),
    ...attachments.map((attachment, index) => attachmentBlock(attachment, `${result.callId}/${index}`)),
  ];
  if (content.length === 0) content.push(textBlock('(no output)'));
  if (result.ok) return { content };
  const { code, retryable } = result.error;
  return { content, isError: true, _meta: { 'toolwright/error': { code, retryable } } };
}

/**
 * Makes a function that converts progress events into progress of the protocol. The numbers are `progress` and `total`
 * of the event's metadata, or else a count of events. The function returns undefined for other events, and for a number
 * that does not grow, because the protocol requires growing numbers.
 */
export function progressCounter(): (event: ToolEvent) => Progress | undefined {
  let last = Number.NEGATIVE_INFINITY;
  return (event) => {
    if (event.type !== 'tool-progress') return undefined;
    const { progress, total, message, tail } = event.metadata ?? {};
    const next = typeof progress === 'number' ? progress : Math.floor(Math.max(last, 0)) + 1;
    if (!(next > last)) return undefined;
    last = next;
    const text = [event.title, message, lastLine(tail)].find((text) => typeof text === 'string' && text !== '');
    return {
      progress: next,
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof text === 'string' ? { message: text } : {}),
    };
  };
}

/** The last line of the output of a command. */
function lastLine(text: unknown): string | undefined {
  return typeof text === 'string' ? text.trimEnd().split('\n').at(-1) : undefined;
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text: text.toWellFormed() };
}

function attachmentBlock({ mediaType: mimeType, data: given, name }: Attachment, id: string): ContentBlock {
  const data = wholeBase64(given);
  const [kind] = mimeType.split('/');
  if (kind === 'image' || kind === 'audio') return { type: kind, data, mimeType };
  const uri = `attachment:${id}${name === undefined ? '' : `/${encodeURIComponent(name.toWellFormed())}`}`;
  return { type: 'resource', resource: { uri, mimeType, blob: data } };
}

/** Repairs invalid base64. Otherwise a client would reject the whole result. */
function wholeBase64(data: string): string {
  const isSound = data.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(data.replace(/={1,2}$/, ''));
  return isSound ? data : Buffer.from(data, 'base64').toString('base64');
}

/** Error codes of the protocol. */
const numbers = { invalidRequest: -32_600, invalidParams: -32_602, notFound: -32_002 } as const;

/**
 * Makes an error of the protocol. The error class of the SDK is not used: it puts the code into the message, and then a
 * client adds the code a second time.
 */
export function protocolError(kind: keyof typeof numbers, message: string, data?: object): Error {
  return Object.assign(new Error(message), { code: numbers[kind], data });
}
