import { fileURLToPath } from 'node:url';
import { type Query, query, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';
import type { ToolCall } from '../../../src/core/call.js';
import type { Toolkit } from '../../../src/core/registry/toolkit.js';
import { toClaudeServer } from '../../../src/mcp-server/claude-agent.js';
import { serveMcp } from '../../../src/mcp-server/index.js';
import type { Driver, ModelReads } from '../driver.js';
import type { GoldenWorld } from '../golden-set.js';

/** The result of an MCP server. */
interface McpAnswer {
  readonly content: readonly {
    readonly type: string;
    readonly text?: string;
    readonly resource?: { mimeType?: string };
  }[];
  readonly isError?: boolean;
}

function reads({ content, isError = false }: McpAnswer): ModelReads {
  const text = content.map((part) => part.text ?? '').join('\n');
  return { text, images: content.filter(({ type }) => type === 'image').length, isError };
}

/** The protocol carries attachments of every kind. */
const answersItself = { call_14_1: /^Here\.$/ };

const clients = new WeakMap<GoldenWorld, Promise<Client>>();

async function connect({ toolkit }: GoldenWorld): Promise<Client> {
  const serving = await serveMcp(toolkit, { transport: { port: 0, token: false } });
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(async () => {
    await client.close();
    await serving.close();
  });
  const transport = new StreamableHTTPClientTransport(new URL(serving.url ?? ''));
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return client;
}

export const mcpServer: Driver = {
  name: 'the MCP server',
  answersItself,
  async step(world, calls, signal) {
    const connected = clients.get(world) ?? connect(world);
    clients.set(world, connected);
    const client = await connected;
    const answers: Record<string, ModelReads> = {};
    // Requests have no order, so they are sent in sequence.
    for (const { id, name, input } of calls) {
      const answer = await client.callTool({ name, arguments: input as never }, undefined, { signal });
      answers[id] = reads(answer as unknown as McpAnswer);
    }
    return answers;
  },
};

const conversations = new WeakMap<GoldenWorld, Conversation>();

/** The SDK starts a program that calls the model. Here the program makes given calls. */
export const claudeAgent: Driver = {
  name: '@anthropic-ai/claude-agent-sdk',
  answersItself,
  async step(world, calls, signal) {
    const conversation = conversations.get(world) ?? new Conversation(world.toolkit);
    conversations.set(world, conversation);
    const abort = () => {
      conversation.end();
      conversations.delete(world);
    };
    signal.addEventListener('abort', abort);
    onTestFinished(() => {
      conversation.end();
      // The SDK passes its version to the program there.
      delete process.env.CLAUDE_AGENT_SDK_VERSION;
    });
    const { results } = await conversation.say(calls);
    return Object.fromEntries(Object.entries(results).map(([id, answer]) => [id, reads(answer)]));
  },
};

/** One `query` whose prompts come one by one. */
class Conversation {
  readonly #abort = new AbortController();
  readonly #prompts = new TransformStream<SDKUserMessage, SDKUserMessage>();
  readonly #writer = this.#prompts.writable.getWriter();
  readonly #messages: Query;

  constructor(toolkit: Toolkit) {
    this.#messages = query({
      prompt: this.#prompts.readable,
      options: {
        abortController: this.#abort,
        executable: 'node',
        pathToClaudeCodeExecutable: fileURLToPath(
          new URL('../../../examples/claude-agent/scripted-program.mjs', import.meta.url),
        ),
        mcpServers: { toolwright: toClaudeServer(toolkit) },
      },
    });
  }

  async say(calls: readonly ToolCall[]): Promise<{ readonly results: Record<string, McpAnswer> }> {
    const content = JSON.stringify(calls);
    void this.#writer.write({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null });
    for (;;) {
      const { value: message, done } = await this.#messages.next();
      if (done === true) throw new Error('The program ended without a result.');
      if (message.type === 'result' && message.subtype === 'success') return JSON.parse(message.result) as never;
    }
  }

  end(): void {
    this.#abort.abort();
  }
}
