import { ToolError } from '../../core/error.js';
import { isRecord } from '../../core/support/check-values.js';
import type {
  McpContent,
  McpResource,
  McpResourceContent,
  McpResourceTemplate,
  McpToolAnswer,
} from '../../ports/mcp-client.js';
import type { ServerResult } from '../connection/connection.js';
import { plainMessage } from '../connection/failures.js';

/** A prompt that a server offers to people. */
export interface McpPrompt {
  readonly server: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly arguments?:
    | readonly { readonly name: string; readonly description?: string | undefined; readonly required?: boolean }[]
    | undefined;
}

/** The messages of a prompt, with its arguments inserted. */
export interface McpPromptText {
  readonly description?: string | undefined;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: McpContent }[];
}

/**
 * Reads the result of a call. A content part of an unknown type is returned as its JSON text. A missing `content` is an
 * empty list. An invalid `content` is an empty list if there is `structuredContent`; otherwise throws.
 */
export function readToolAnswer({ content, structuredContent, isError }: ServerResult): McpToolAnswer {
  const isLacking = content === undefined || (structuredContent !== undefined && !Array.isArray(content));
  const parts = (isLacking ? [] : listIn(content, 'parts')).map(readContent);
  return {
    content: isError === true ? parts.map(failing) : parts,
    ...(structuredContent !== undefined && { structuredContent }),
    ...(isError === true && { isError }),
  };
}

/** Reads one entry of a list of resources. Returns an empty list for an entry without a URI. */
export function readResource(server: string, entry: unknown): readonly McpResource[] {
  if (!isRecord(entry) || typeof entry.uri !== 'string') return [];
  return [{ server, uri: entry.uri, ...describing(entry) }];
}

/** Reads one entry of a list of resource templates. */
export function readTemplate(server: string, entry: unknown): readonly McpResourceTemplate[] {
  if (!isRecord(entry) || typeof entry.uriTemplate !== 'string') return [];
  return [{ server, uriTemplate: entry.uriTemplate, ...describing(entry) }];
}

export function readContents({ contents }: ServerResult): readonly McpResourceContent[] {
  return listIn(contents, 'contents').flatMap((entry) => resourceContent(entry) ?? []);
}

/** Reads one entry of a list of prompts. Returns an empty list for an entry without a name. */
export function readPrompt(server: string, entry: unknown): readonly McpPrompt[] {
  if (!isRecord(entry) || typeof entry.name !== 'string') return [];
  const { name, title, description } = entry;
  const parameters = (Array.isArray(entry.arguments) ? entry.arguments : []).flatMap((one) =>
    isRecord(one) && typeof one.name === 'string'
      ? { name: one.name, description: text(one.description), required: one.required === true }
      : [],
  );
  return [{ server, name, title: text(title), description: text(description), arguments: parameters }];
}

export function readPromptText({ description, messages }: ServerResult): McpPromptText {
  return {
    description: text(description),
    messages: listIn(messages, 'messages').flatMap((message) =>
      isRecord(message)
        ? { role: message.role === 'assistant' ? 'assistant' : 'user', content: readContent(message.content) }
        : [],
    ),
  };
}

/** Removes the error code that the SDK of the server puts before an error message. */
function failing(part: McpContent): McpContent {
  return part.type === 'text' ? { ...part, text: plainMessage(part.text) } : part;
}

function readContent(part: unknown): McpContent {
  if (isRecord(part)) {
    const { type, data, mimeType, uri } = part;
    if (type === 'text' && typeof part.text === 'string') return { type, text: part.text };
    if ((type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string')
      return { type, data, mimeType };
    const resource = type === 'resource' ? resourceContent(part.resource) : undefined;
    if (resource !== undefined) return { type: 'resource', resource };
    if (type === 'resource_link' && typeof uri === 'string') {
      const { name, description, mimeType: media } = describing(part);
      return { type, uri, name, description, mimeType: media };
    }
  }
  return { type: 'text', text: jsonOf(part) };
}

function resourceContent(entry: unknown): McpResourceContent | undefined {
  if (!isRecord(entry) || typeof entry.uri !== 'string') return undefined;
  return { uri: entry.uri, mimeType: text(entry.mimeType), text: text(entry.text), blob: text(entry.blob) };
}

function describing({ name, title, description, mimeType }: Readonly<Record<string, unknown>>) {
  return { name: text(name), title: text(title), description: text(description), mimeType: text(mimeType) };
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '[a part that is nested too deeply]';
  }
}

/** Checks a list in a result. Throws `mcp_tool_error` for any other value. */
export function listIn(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new ToolError('mcp_tool_error', `The MCP server did not return a list of ${what}. Continue without them.`);
}

/** The value if it is a string. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
