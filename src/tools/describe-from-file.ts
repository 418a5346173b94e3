import { constants, type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ToolError } from '../core/error.js';
import { defaultLimits } from '../core/limits.js';
import type { Tool, ToolInitContext } from '../core/tool.js';

/** How the description of a tool is read from a file. */
export interface DescribeOptions {
  /** Size limit of the file. Default `limits.resolver.maxDescriptionBytes`. */
  readonly maxBytes?: number;
  /** The environment in which `AGENT_WORKSPACE_ROOT` is looked up. Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Gives a tool the text of a file (UTF-8) as its description. The file is read once, when the registry initialises its
 * tools; a relative path starts at the registry's working directory. `${workspace}` becomes the environment variable
 * `AGENT_WORKSPACE_ROOT`, or else the working directory; `${directory}` and `${cwd}` become the working directory;
 * other variables stay as they are. If the file is missing, empty, too large or not text, the tool stays unavailable
 * and the registry says why.
 */
export function describeFromFile(tool: Tool, path: string, options: DescribeOptions = {}): Tool {
  const { maxBytes = defaultLimits.resolver.maxDescriptionBytes, env = process.env } = options;
  return Object.freeze({
    ...tool,
    init: async (context: ToolInitContext) => {
      const { cwd } = context;
      const text = await readText(resolve(cwd, path), maxBytes);
      const variables = new Map([
        ['workspace', env.AGENT_WORKSPACE_ROOT || cwd],
        ['directory', cwd],
        ['cwd', cwd],
      ]);
      const { init: _, ...made } = (await tool.init?.(context)) ?? tool;
      return Object.freeze({ ...made, description: render(text, variables) });
    },
  });
}

function render(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{(\w+)\}/g, (variable, name: string) => variables.get(name) ?? variable);
}

async function readText(path: string, maxBytes: number): Promise<string> {
  const file = await openFile(path);
  try {
    if (!(await file.stat()).isFile()) throw unusable(path, 'it is no regular file');
    // The size in `stat` is 0 for files below /proc, so the read asks for one byte more than the limit.
    const buffer = Buffer.alloc(maxBytes + 1);
    const length = await fill(file, buffer);
    if (length > maxBytes) throw unusable(path, `it is larger than ${maxBytes} bytes`);
    const text = decode(buffer.subarray(0, length), path).trim();
    if (text === '') throw unusable(path, 'it is empty');
    return text;
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw unusable(path, isMissing ? 'there is no such file' : String((cause as Error).message), cause);
  }
}

async function fill(file: FileHandle, buffer: Buffer): Promise<number> {
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unusable(path, 'it is no UTF-8 text', cause);
  }
}

function unusable(path: string, reason: string, cause?: unknown): ToolError {
  return new ToolError('execution_failed', `the description in ${path} cannot be used: ${reason}`, { cause });
}
