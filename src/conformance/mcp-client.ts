import { strict as assert } from 'node:assert';
import type { CallScope } from '../core/context.js';
import type { McpClient, McpUpdate } from '../ports/mcp-client.js';
import { refuses } from './file-system-trial.js';
import { conformanceKit, type Disposable, newScope, same, within } from './kit.js';

/** A client that is connected to a server with a tool that returns its input as JSON text. */
export interface McpClientSubject extends Disposable {
  readonly mcp: McpClient;
  readonly server: string;
  readonly tool: string;
  /** Makes the server change its state or its tools. */
  change(): Promise<void> | void;
}

/** The requirements for an MCP client. */
export const mcpClientConformance = conformanceKit<McpClientSubject>({
  'a server is listed with its state': async ({ mcp, server }) => {
    assert.equal(mcp.servers().find(({ name }) => name === server)?.state, 'connected');
  },
  'tools are listed for one server and for all, with an object schema': async ({ mcp, server, tool }) => {
    for (const tools of [mcp.tools(), mcp.tools(server)]) {
      const found = tools.find((one) => one.name === tool && one.server === server);
      assert.equal(found?.inputSchema.type, 'object');
    }
    same(mcp.tools('no-such-server'), []);
  },
  'simultaneous calls get the answers to their own inputs': async ({ mcp, server, tool }, scope) => {
    const call = async (at: number) => textOf(mcp, server, tool, { at }, scope);
    same(await Promise.all([1, 2, 3].map(call)), ['{"at":1}', '{"at":2}', '{"at":3}']);
  },
  'a call of an unknown server fails with mcp_unavailable': async ({ mcp, tool }, scope) => {
    await refuses(mcp.callTool({ server: 'no-such-server', tool, input: {} }, scope), 'mcp_unavailable');
  },
  'an aborted call ends': async ({ mcp, server, tool }) => {
    const aborted = newScope('conformance', AbortSignal.abort());
    await assert.rejects(within(mcp.callTool({ server, tool, input: {} }, aborted), 'an aborted call must end'));
  },
  'a subscriber gets changes until it unsubscribes': async ({ mcp, server, change }) => {
    const updates: McpUpdate[] = [];
    let received = () => {};
    const first = new Promise<void>((resolve) => (received = resolve));
    const stop = mcp.subscribe((update) => {
      updates.push(update);
      received();
    });
    await change();
    await within(first, 'a change must be sent');
    assert.ok(updates.every((update) => update.server === server));
    stop();
    const { length } = updates;
    const second = new Promise((resolve) => mcp.subscribe(resolve));
    await change();
    await within(second, 'a change must be sent to another subscriber');
    assert.equal(updates.length, length);
  },
  'listResources returns a page': async ({ mcp, server }, scope) => {
    assert.ok(Array.isArray((await mcp.listResources({ server }, scope)).resources));
  },
});

async function textOf(mcp: McpClient, server: string, tool: string, input: { at: number }, scope: CallScope) {
  const { content } = await mcp.callTool({ server, tool, input }, scope);
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
