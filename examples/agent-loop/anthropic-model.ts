import { fromAnthropic, toAnthropicResults, toAnthropicTools } from 'toolwright/anthropic';
import type { ToolDefinitionJson } from 'toolwright/core';
import { instructions, type Model, type Reply, type Send } from './model.js';

/** One message of a conversation with the Messages API. */
export interface AnthropicTurn {
  readonly role: 'user' | 'assistant';
  readonly content: unknown;
}

/** The fields of a Messages API request that this example uses. */
export interface AnthropicRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly system: string;
  readonly tools: ReturnType<typeof toAnthropicTools>;
  readonly messages: readonly AnthropicTurn[];
}

/** A model of Anthropic's Messages API. */
export function anthropicModel(name: string, definitions: readonly ToolDefinitionJson[], send: Send): Model {
  const tools = toAnthropicTools(definitions);
  const messages: AnthropicTurn[] = [];

  async function turn(content: unknown, signal: AbortSignal): Promise<Reply> {
    messages.push({ role: 'user', content });
    const request: AnthropicRequest = { model: name, max_tokens: 16_000, system: instructions, tools, messages };
    const answer = (await send(request, signal)) as
      | { readonly content?: unknown; readonly stop_reason?: unknown }
      | undefined;
    const blocks = Array.isArray(answer?.content)
      ? (answer.content as { readonly type?: string; readonly text?: string }[])
      : [];
    messages.push({ role: 'assistant', content: blocks });
    const text = blocks.flatMap((block) => (block.type === 'text' ? (block.text ?? '') : [])).join('\n');
    const stop = String(answer?.stop_reason);
    return {
      text,
      calls: fromAnthropic(answer, { definitions }),
      ...(['end_turn', 'tool_use', 'stop_sequence'].includes(stop) ? {} : { cutShort: stop }),
    };
  }

  return {
    ask: (task, signal) => turn(task, signal),
    answer: (results, signal) => turn(toAnthropicResults(results), signal),
  };
}
