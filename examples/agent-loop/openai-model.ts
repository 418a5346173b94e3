import type { ToolDefinitionJson } from 'toolwright/core';
import { fromOpenAI, toOpenAIMessages, toOpenAITools } from 'toolwright/openai';
import { instructions, type Model, type Reply, type Send } from './model.js';

interface Choice {
  readonly message?: { readonly content?: unknown; readonly refusal?: unknown };
  readonly finish_reason?: unknown;
}

/** A model of OpenAI's Chat Completions, or of a compatible server. */
export function openAIModel(name: string, definitions: readonly ToolDefinitionJson[], send: Send): Model {
  const tools = toOpenAITools(definitions, { api: 'chat' });
  const messages: object[] = [{ role: 'system', content: instructions }];

  async function turn(added: readonly object[], signal: AbortSignal): Promise<Reply> {
    messages.push(...added);
    const answer = (await send({ model: name, tools, messages }, signal)) as
      | { readonly choices?: readonly Choice[] }
      | undefined;
    const choice = answer?.choices?.[0];
    messages.push(choice?.message ?? { role: 'assistant', content: '' });
    const text = [choice?.message?.content, choice?.message?.refusal]
      .filter((part) => typeof part === 'string')
      .join('\n');
    const stop = String(choice?.finish_reason);
    return {
      text,
      calls: choice === undefined ? [] : fromOpenAI(choice),
      ...(['stop', 'tool_calls'].includes(stop) ? {} : { cutShort: stop }),
    };
  }

  return {
    ask: (task, signal) => turn([{ role: 'user', content: task }], signal),
    answer: (results, signal) => turn(toOpenAIMessages(results), signal),
  };
}
