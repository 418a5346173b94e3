import { isUtf8 } from 'node:buffer';
import { resolve } from 'node:path';
import { ToolError } from '../core/error.js';
import { defaultLimits } from '../core/limits.js';
import type { Tool } from '../core/tool.js';
import type { ToolInitContext } from '../core/tool-definition.js';
import { readRegularFile } from '../files/disk/read-regular-file.js';

/** Options of {@link describeFromFile}. */
export interface DescribeOptions {
  /** The maximum size of the file. Default `limits.resolver.maxDescriptionBytes`. */
  readonly maxBytes?: number;
  /** The environment in which `AGENT_WORKSPACE_ROOT` is looked up. Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns a copy of a tool whose description is the text of a file (UTF-8). The file is read once, when the registry
 * initialises its tools. A relative path is resolved against the registry's working directory. In the text,
 * `${directory}` and `${cwd}` are replaced by the working directory, and `${workspace}` by the environment variable
 * `AGENT_WORKSPACE_ROOT` or else the working directory. Other variables stay unchanged. If the file is missing, empty,
 * too large or not text, the tool stays unavailable and the registry reports the reason.
 */
export function describeFromFile(tool: Tool, path: string, options: DescribeOptions = {}): Tool {
  const { maxBytes = defaultLimits.resolver.maxDescriptionBytes, env = process.env } = options;
  return Object.freeze({
    ...tool,
    init: async (context: ToolInitContext) => {
      const { cwd } = context;
      const text = readText(resolve(cwd, path), maxBytes);
      const variables = new Map([
        ['workspace', env.AGENT_WORKSPACE_ROOT || cwd],
        ['directory', cwd],
        ['cwd', cwd],
      ]);
      const { init: _, ...made } = (await tool.init?.(context)) ?? tool;
      const description = text.replace(/\$\{(\w+)\}/g, (variable, name: string) => variables.get(name) ?? variable);
      return Object.freeze({ ...made, description });
    },
  });
}

function readText(path: string, maxBytes: number): string {
  const bytes = readRegularFile(path);
  if (bytes === undefined) throw unusable(path, 'there is no such file, or it cannot be read');
  if (bytes.length > maxBytes) throw unusable(path, `it is larger than ${maxBytes} bytes`);
  if (!isUtf8(bytes)) throw unusable(path, 'it is not UTF-8 text');
  const text = bytes.toString('utf8').trim();
  if (text === '') throw unusable(path, 'it is empty');
  return text;
}

function unusable(path: string, reason: string): ToolError {
  return new ToolError('execution_failed', `the description in ${path} cannot be used: ${reason}`);
}
