import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { McpManager, type McpManagerOptions, type McpServerConfig } from '../../src/mcp.js';
import type { McpUpdate } from '../../src/ports/mcp-client.js';
import { processesWith } from './shell.js';

const hostile = fileURLToPath(new URL('./hostile-mcp-server.mjs', import.meta.url));

/** A server with a given behaviour. `mark` identifies its process and the processes that it starts. */
export function hostileServer(behaviour: string, detail = '', mark = newMark()): McpServerConfig {
  return { command: process.execPath, args: [hostile, behaviour, detail, mark] };
}

/** A text in the command lines of one server and its children. */
export function newMark(): string {
  return `mark-${randomBytes(8).toString('hex')}`;
}

/** A manager that is disposed when the running test has finished, with all its events. */
export function mcpWorld(servers: Readonly<Record<string, McpServerConfig>>, options: McpManagerOptions = {}) {
  const manager = new McpManager({ servers, ...options });
  const updates: McpUpdate[] = [];
  manager.subscribe((update) => updates.push(update));
  onTestFinished(() => manager.dispose());
  const scope = { caller: { sessionId: 's1' }, signal: new AbortController().signal };
  const call = (server: string, tool: string, input: Record<string, unknown> = {}, signal = scope.signal) =>
    manager.callTool({ server, tool, input }, { ...scope, signal });
  const stateOf = (name: string) => manager.status().find((one) => one.name === name);
  return { manager, updates, scope, call, stateOf };
}

/** The processes whose command line contains `mark`. */
export function processesOf(mark: string): readonly number[] {
  return processesWith(mark);
}
