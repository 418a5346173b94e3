import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { CallToolRequest, CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ToolCall } from '../core/call.js';
import type { Caller } from '../core/context.js';
import type { ToolEventListener } from '../core/event.js';
import type { Limits } from '../core/limits.js';
import { packageVersion } from '../core/package-version.js';
import type { Answers } from '../core/permission-question.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { askClient, type RequestExtra } from './ask-client.js';
import type { Sdk } from './load-sdk.js';
import { listFiles, readFile } from './resources.js';
import { mcpResultOf, mcpToolOf, progressCounter, protocolError } from './tool-messages.js';

/** A running server. */
export interface McpServing {
  /** The address of a server over HTTP. */
  readonly url?: string;
  /** Ends all connections, aborts their calls and stops listening. Does not dispose the toolkit. */
  close(): Promise<void>;
  /** Resolves when the server has ended: by {@link close}, or over stdio when the client has disconnected. */
  readonly closed: Promise<void>;
}

export interface ClientParts {
  readonly sdk: Sdk;
  readonly toolkit: Toolkit;
  readonly caller: Caller;
  readonly limits: Limits['mcpServer'];
  /** Called when a call that the client cancelled has ended. The server sends no answer to that call. */
  readonly onCancelled?: ((requestId: string | number) => void) | undefined;
}

/**
 * Makes the server for one client; the caller connects it to a transport. The server listens to the registry until the
 * server is closed.
 */
export function clientServer(parts: ClientParts): Server {
  const { sdk, toolkit, caller, limits } = parts;
  const { types } = sdk;
  const server = new sdk.Server(
    { name: 'toolwright', version: packageVersion },
    {
      capabilities: { tools: { listChanged: true }, resources: {} },
      debouncedNotificationMethods: ['notifications/tools/list_changed'],
    },
  );
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    // The SDK calls this handler before its own, which rejects null as arguments.
    transport.onmessage = (message) => {
      const { params } = 'method' in message && message.method === 'tools/call' ? message : {};
      if (params?.arguments === null) params.arguments = {};
    };
    await connect(transport);
  };
  server.setRequestHandler(types.ListToolsRequestSchema, async () => {
    const { registry } = toolkit;
    if (registry.hasPending) await registry.ready();
    const offered = await toolkit.definitionsFor(caller);
    return { tools: offered.map((one) => mcpToolOf(one, registry.get(one.name))) };
  });
  server.setRequestHandler(types.CallToolRequestSchema, ({ params }, extra) => callTool(server, parts, params, extra));
  const { files } = toolkit;
  server.setRequestHandler(types.ListResourcesRequestSchema, ({ params }, { signal }) =>
    listFiles({ files, limits }, params?.cursor, { caller, signal }),
  );
  server.setRequestHandler(types.ReadResourceRequestSchema, ({ params }, { signal }) =>
    readFile(files, params.uri, { caller, signal }),
  );
  server.setRequestHandler(types.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: 'file://{+path}', name: 'file', description: 'A file by its absolute path' }],
  }));
  const stop = toolkit.registry.subscribe(() => {
    server.sendToolListChanged().catch(ignored);
  });
  server.onclose = stop;
  return server;
}

/** The longest delay of a timer in Node, in milliseconds. */
const longestMs = 2_147_483_647;

async function callTool(
  server: Server,
  parts: ClientParts,
  params: CallToolRequest['params'],
  extra: RequestExtra,
): Promise<CallToolResult> {
  const { toolkit, caller } = parts;
  const { signal, requestId } = extra;
  if (params.name === '') throw protocolError('invalidParams', 'Pass the name of a tool');
  const call = { id: `call_${randomUUID()}`, name: params.name, input: params.arguments ?? {} };
  try {
    const answers = await answersFor(server, parts, call, extra);
    const onEvent = progressListener(extra);
    return mcpResultOf(await toolkit.call(call.name, call.input, { id: call.id, caller, signal, onEvent, answers }));
  } finally {
    if (signal.aborted) parts.onCancelled?.(requestId);
  }
}

/** Asks the user and returns the answer by call id, if the call needs permission and the client can ask its user. */
async function answersFor(
  server: Server,
  { sdk, toolkit, caller, limits }: ClientParts,
  call: ToolCall,
  extra: RequestExtra,
): Promise<Answers | undefined> {
  if (server.getClientCapabilities()?.elicitation?.form === undefined) return undefined;
  const decision = await toolkit.decide(call, { caller, signal: extra.signal });
  if (decision.behavior !== 'ask') return undefined;
  return {
    [call.id]: await askClient(sdk, decision.question, extra, Math.min(limits.askTimeoutMs || longestMs, longestMs)),
  };
}

/** Sends progress to the client; undefined if the client has not asked for progress. */
function progressListener({ _meta, sendNotification }: RequestExtra): ToolEventListener | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  const count = progressCounter();
  return (event) => {
    const progress = count(event);
    if (progress === undefined) return;
    sendNotification({ method: 'notifications/progress', params: { ...progress, progressToken } }).catch(ignored);
  };
}

/** Ignores errors of sending to a disconnected client, whose calls are aborted by their signals. */
function ignored(): void {}
