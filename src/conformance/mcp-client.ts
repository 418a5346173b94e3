import { strict as assert } from 'node:assert';
import type { CallScope } from '../core/context.js';
import type { McpClient, McpUpdate } from '../ports/mcp-client.js';
import { conformanceKit, type Disposable, newScope, same, within } from './conformance-case.js';
import { refuses } from './conformance-trial.js';

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
  'its tools are listed, for it and for all, with the schema of an object': async ({ mcp, server, tool }) => {
    for (const tools of [mcp.tools(), mcp.tools(server)]) {
      const found = tools.find((one) => one.name === tool && one.server === server);
      assert.equal(found?.inputSchema.type, 'object');
    }
    same(mcp.tools('no-such-server'), []);
  },
  'a call gets the answer to its own input': async ({ mcp, server, tool }, scope) => {
    const call = async (at: number) => textOf(mcp, server, tool, { at }, scope);
    same(await Promise.all([1, 2, 3].map(call)), ['{"at":1}', '{"at":2}', '{"at":3}']);
  },
  'a server that is not there is mcp_unavailable': async ({ mcp, tool }, scope) => {
    await refuses(mcp.callTool({ server: 'no-such-server', tool, input: {} }, scope), 'mcp_unavailable');
  },
  'an aborted call ends': async ({ mcp, server, tool }) => {
    const aborted = newScope('conformance', AbortSignal.abort());
    await assert.rejects(within(mcp.callTool({ server, tool, input: {} }, aborted), 'an aborted call must end'));
  },
  'changes are told until nobody listens': async ({ mcp, server, change }) => {
    const updates: McpUpdate[] = [];
    let heard = () => {};
    const first = new Promise<void>((resolve) => (heard = resolve));
    const stop = mcp.subscribe((update) => {
      updates.push(update);
      heard();
    });
    await change();
    await within(first, 'a change must be told');
    assert.ok(updates.every((update) => update.server === server));
    stop();
    const { length } = updates;
    await change();
    assert.equal(updates.length, length);
  },
  'resources are a page': async ({ mcp, server }, scope) => {
    assert.ok(Array.isArray((await mcp.listResources({ server }, scope)).resources));
  },
});

async function textOf(mcp: McpClient, server: string, tool: string, input: { at: number }, scope: CallScope) {
  const { content } = await mcp.callTool({ server, tool, input }, scope);
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
