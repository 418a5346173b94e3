import { createHash } from 'node:crypto';
import { builtinName } from '../../core/tool-names.js';

const maxChars = 64;
const validName = /^[A-Za-z0-9_-]+$/;
const prefixForm = /^[A-Za-z0-9_-]{0,23}_$/;
/** What a name ends in that had to be changed. */
const hashEnd = /_[0-9a-f]{8}$/;

/** What begins the names of MCP tools unless another prefix is passed. */
const defaultMcpPrefix = 'mcp__';

/**
 * The name of an MCP tool, always `[A-Za-z0-9_-]{1,64}`: prefix, server and tool, joined by the underscores that the
 * prefix ends in. A name that would be none, too long, that of a built-in tool, or that of another server's tool as
 * well, is changed, and ends in 8 hexadecimal characters of a hash; so every name depends on its own server and tool
 * alone. Throws a TypeError for a prefix that is longer than 24 characters or does not end in an underscore.
 */
export function mcpToolName(server: string, tool: string, prefix: string = defaultMcpPrefix): string {
  const whole = `${mcpNamePrefix(server, prefix)}${plain(tool)}`;
  const isUnchanged =
    validName.test(server) &&
    validName.test(tool) &&
    whole.length <= maxChars &&
    // Else the name would say as well that a part of the server belongs to the tool.
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

/** What the names of the tools of a server begin with, as far as they are not cut. */
export function mcpNamePrefix(server: string, prefix: string = defaultMcpPrefix): string {
  if (!prefixForm.test(prefix))
    throw new TypeError(
      `The prefix of MCP tools has at most 24 of the characters A-Z a-z 0-9 _ - and ends in _, unlike ${JSON.stringify(prefix)}`,
    );
  return `${prefix}${plain(server)}${separatorOf(prefix)}`;
}

function separatorOf(prefix: string): string {
  return prefix.endsWith('__') ? '__' : '_';
}

function plain(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}
