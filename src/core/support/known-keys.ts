import { didYouMean } from './near-names.js';

/** The right option for keys that other libraries use. */
const usualMistakes: Readonly<Record<string, string>> = {
  'createToolkit.onAsk': 'permissions: createPermissions({ onAsk })',
  'createToolkit.cwd': 'root: cwd',
  'createToolkit.mcpServers':
    'hosts: { mcp: new McpManager({ servers: mcpServers }) }, with McpManager of toolwright/mcp',
  'execute.sessionId': 'caller: { sessionId }',
  'execute.session': 'caller: { sessionId }',
  'call.sessionId': 'caller: { sessionId }',
  'call.session': 'caller: { sessionId }',
  'McpManager.mcpServers': 'servers: mcpServers',
  'scriptedShell.code': 'exitCode',
  'MCP.allowedTools': 'toolAllow',
  'MCP.disallowedTools': 'toolDeny',
  'createToolkit.tools': 'toolkit.registry.register(...tools) when it is made',
};

/**
 * Throws a TypeError with similar names for a key of `options` that is not in `known`: a misspelt option must not be
 * ignored silently.
 */
export function assertKnownKeys(
  what: string,
  options: object,
  known: Readonly<Record<string, unknown>>,
  noun = 'option',
): void {
  for (const key in options) {
    if (Object.hasOwn(known, key)) continue;
    const instead = usualMistakes[`${what.split(' ')[0]}.${key}`];
    const next = instead === undefined ? didYouMean(key, Object.keys(known)) : ` Write ${instead}.`;
    throw new TypeError(`${what}: ${key} is no ${noun}.${next}`);
  }
}
