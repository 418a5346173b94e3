import type { AgentModel, AgentTurn } from 'toolwright/agents';
import type { ToolDefinitionJson } from 'toolwright/core';
import type { Model } from '../agent-loop/model.js';

/**
 * Adapts the model of an agent loop to subagents: each conversation gets its own model, which keeps the history and
 * receives only the new messages.
 */
export function agentModel(connect: (definitions: readonly ToolDefinitionJson[]) => Model): AgentModel {
  const conversations = new WeakMap<AgentTurn, Model>();
  return async ({ system, messages, tools, signal }) => {
    const [first] = messages;
    if (first === undefined) throw new TypeError('a conversation begins with a task');
    const known = conversations.get(first);
    const model = known ?? connect(tools);
    conversations.set(first, model);
    const fresh = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
    const notes = fresh.flatMap((message) => (message.role === 'user' ? [message.text] : [])).join('\n\n');
    const results = fresh.flatMap((message) => (message.role === 'tool' ? message.results : []));
    const last = results.pop();
    const { text, calls, cutShort } =
      last === undefined
        ? await model.ask(known === undefined ? `${system}\n\n${notes}` : notes, signal)
        : await model.answer([...results, notes === '' ? last : { ...last, additionalContext: notes }], signal);
    if (cutShort !== undefined) throw new Error(`the model was cut short: ${cutShort}`);
    return { text, toolCalls: calls };
  };
}
