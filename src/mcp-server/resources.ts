import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ListResourcesResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { ToolError } from '../core/error.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import type { TurnOptions } from '../core/registry/turn-options.js';
import { protocolError } from './tool-messages.js';

/** One page of the files of a toolkit, sorted by path. The cursor is the last path of the previous page. */
export async function listFiles(
  { files, limits }: Pick<Toolkit, 'files'> & { readonly limits: { readonly maxPageResources: number } },
  cursor: string | undefined,
  turn: TurnOptions,
): Promise<ListResourcesResult> {
  const last = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString();
  if (cursor !== undefined && cursorOf(last) !== cursor)
    throw protocolError('invalidParams', 'There is no such cursor');
  const paths = await files.list(turn).catch((thrown: unknown) => refuse(thrown));
  const rest = paths.filter((path) => path > last);
  const page = rest.slice(0, Math.max(1, limits.maxPageResources));
  return {
    resources: page.map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) })),
    ...(rest.length > page.length ? { nextCursor: cursorOf(page.at(-1) ?? '') } : {}),
  };
}

/** Reads one file by its `file:` URI. */
export async function readFile(files: Toolkit['files'], uri: string, turn: TurnOptions): Promise<ReadResourceResult> {
  const found = await files.read(pathOf(uri), turn).catch((thrown: unknown) => refuse(thrown, uri));
  const { mediaType, text, data = '' } = found;
  const content = { uri, mimeType: mediaType };
  return { contents: [text === undefined ? { ...content, blob: data } : { ...content, text: text.toWellFormed() }] };
}

function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    const message = 'Pass the address of a file, such as file:///workspace/a.txt';
    throw protocolError('invalidParams', message, { uri });
  }
}

function refuse(thrown: unknown, uri?: string): never {
  const { code, message } = ToolError.from(thrown);
  const isMissing = code === 'file_not_found' || code === 'path_outside_root' || code === 'not_a_file';
  throw protocolError(isMissing ? 'notFound' : 'invalidRequest', message, { uri, code });
}

function cursorOf(path: string): string {
  return Buffer.from(path).toString('base64url');
}
