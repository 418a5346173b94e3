import { createHash } from 'node:crypto';
import { builtinName } from '../../core/tool-names.js';

const maxChars = 64;
const validName = /^[A-Za-z0-9_-]+$/;
const prefixForm = /^[A-Za-z0-9_-]{0,23}_$/;
const hashEnd = /_[0-9a-f]{8}$/;

const defaultMcpPrefix = 'mcp__';

/**
 * The name of an MCP tool, always `[A-Za-z0-9_-]{1,64}`: `{prefix}{server}{separator}{tool}`. The separator is `__` if
 * the prefix ends in `__`, and otherwise `_`. A name is changed if it has other characters, is too long, or could equal
 * the name of a built-in tool or of another server's tool. A changed name ends in 8 hexadecimal digits of a hash. The
 * name depends only on the prefix, the server and the tool. Throws a TypeError for a prefix that is longer than 24
 * characters, has other characters, or does not end in an underscore.
 */
export function mcpToolName(server: string, tool: string, prefix: string = defaultMcpPrefix): string {
  const whole = `${mcpNamePrefix(server, prefix)}${plain(tool)}`;
  const isUnchanged =
    validName.test(server) &&
    validName.test(tool) &&
    whole.length <= maxChars &&
    // A separator in the name of a server, or an underscore at its end, could give two tools the same name.
    !server.endsWith('_') &&
    !server.includes(separatorOf(prefix)) &&
    !hashEnd.test(whole) &&
    builtinName(whole) === undefined;
  if (isUnchanged) return whole;
  const hash = createHash('sha256')
    .update(JSON.stringify([prefix, server, tool]))
    .digest('hex')
    .slice(0, 8);
  return `${whole.slice(0, maxChars - hash.length - 1)}_${hash}`;
}

/** The start of all tool names of a server; a shortened name may contain only a part of this start. */
export function mcpNamePrefix(server: string, prefix: string = defaultMcpPrefix): string {
  if (!prefixForm.test(prefix))
    throw new TypeError(
      `The prefix of MCP tools must be at most 24 characters (A-Z a-z 0-9 _ -) and end in _, not ${JSON.stringify(prefix)}`,
    );
  return `${prefix}${plain(server)}${separatorOf(prefix)}`;
}

function separatorOf(prefix: string): string {
  return prefix.endsWith('__') ? '__' : '_';
}

function plain(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}
