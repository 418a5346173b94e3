import type { ToolEvent } from '../../../src/core/event.js';
import type { ToolkitOptions } from '../../../src/toolkit/options.js';
import { FakeMcpClient, type FakeMcpServer } from '../../support/fake-mcp-client.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { testToolkit } from '../../support/test-toolkit.js';

/** A toolkit over servers in memory, and its events. */
export async function mcpWorld(
  servers: Readonly<Record<string, Partial<FakeMcpServer>>> | FakeMcpClient = {},
  options: Partial<ToolkitOptions> = {},
) {
  const root = temporaryFolder();
  const client = servers instanceof FakeMcpClient ? servers : new FakeMcpClient(servers);
  const events: ToolEvent[] = [];
  const toolkit = testToolkit({
    root,
    permissions: 'bypassPermissions',
    onEvent: (event) => events.push(event),
    ...options,
    hosts: { mcp: client, ...options.hosts },
  });
  const names = (sessionId = 'default') =>
    toolkit
      .definitions({ sessionId })
      .map(({ name }) => name)
      .filter((name) => name.startsWith('mcp') || name === 'ToolSearch');
  return { root, client, toolkit, events, names };
}
