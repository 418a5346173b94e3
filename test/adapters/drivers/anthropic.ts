import Anthropic from '@anthropic-ai/sdk';
import {
  fromAnthropic,
  toAnthropicResults,
  toAnthropicTools,
  toRunnableTools,
} from '../../../src/adapters/anthropic.js';
import type { ToolCall } from '../../../src/core/call.js';
import type { Driver, ModelReads } from '../driver.js';
import { scriptedFetch } from './scripted-fetch.js';

/** A client whose model makes these calls, and is done when it has their results. */
function callingClient(calls: readonly ToolCall[]) {
  const message = (content: object[], stop_reason: string) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    usage: { input_tokens: 1, output_tokens: 1 },
    content,
    stop_reason,
  });
  const { fetch, sent } = scriptedFetch([
    message(
      calls.map((call) => ({ type: 'tool_use', ...call })),
      'tool_use',
    ),
    message([{ type: 'text', text: 'Done.' }], 'end_turn'),
  ]);
  return { client: new Anthropic({ apiKey: 'none', fetch, maxRetries: 0 }), sent };
}

/** The results of its calls in the last request to the model. */
function readBy(sent: readonly Record<string, unknown>[]): Record<string, ModelReads> {
  const { messages } = (sent.at(-1) ?? {}) as unknown as Anthropic.MessageCreateParams;
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  return Object.fromEntries(
    blocks.flatMap((block) => {
      if (block.type !== 'tool_result') return [];
      const parts =
        typeof block.content === 'string' ? [{ type: 'text' as const, text: block.content }] : (block.content ?? []);
      const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      const images = parts.filter(({ type }) => type === 'image').length;
      return [[block.tool_use_id, { text, images, isError: block.is_error === true }]];
    }),
  );
}

const request = { model: 'scripted', max_tokens: 100 };
const asked = { role: 'user' as const, content: 'Go on.' };

export const messages: Driver = {
  name: '@anthropic-ai/sdk',
  async step({ toolkit }, calls, signal) {
    const { client, sent } = callingClient(calls);
    const tools = toAnthropicTools(toolkit.definitions());
    const message = await client.messages.create({ ...request, tools, messages: [asked] });
    const { results } = await toolkit.execute(fromAnthropic(message, { definitions: toolkit.definitions() }), {
      signal,
    });
    const answered = { role: 'user' as const, content: toAnthropicResults(results) };
    const said = { role: 'assistant' as const, content: message.content };
    await client.messages.create({ ...request, tools, messages: [asked, said, answered] });
    return readBy(sent);
  },
};

export const toolRunner: Driver = {
  name: 'the tool runner of @anthropic-ai/sdk',
  answersItself: { call_19_0: /Nothing/ },
  async step({ toolkit }, calls, signal) {
    const { client, sent } = callingClient(calls);
    const tools = toRunnableTools(toolkit);
    await client.beta.messages.toolRunner({ ...request, tools, messages: [asked] }, { signal });
    return readBy(sent);
  },
};
