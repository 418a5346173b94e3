import { Agent, type Model, type ModelRequest, Runner, Usage } from '@openai/agents';
import { toAgentTools } from '../../../src/adapters/openai-agents.js';
import type { ToolCall } from '../../../src/core/call.js';
import type { Driver, ModelReads } from '../driver.js';

/** A model that makes these calls, and is done when it has their results. */
export class CallingModel implements Model {
  readonly requests: ModelRequest[] = [];
  readonly #calls: readonly ToolCall[];

  constructor(calls: readonly ToolCall[]) {
    this.#calls = calls;
  }

  getResponse(request: ModelRequest) {
    this.requests.push({ ...request, input: structuredClone(request.input) });
    const isAnswered = itemsOf(request).some(({ type }) => type === 'function_call_result');
    const calls = this.#calls.map(({ id, name, input }) => ({
      type: 'function_call' as const,
      callId: id,
      name,
      status: 'completed' as const,
      arguments: typeof input === 'string' ? input : JSON.stringify(input),
    }));
    const text = [{ type: 'output_text' as const, text: 'Done.' }];
    const said = { type: 'message' as const, role: 'assistant' as const, status: 'completed' as const, content: text };
    return Promise.resolve({ usage: new Usage(), output: isAnswered ? [said] : calls });
  }

  getStreamedResponse(): never {
    throw new Error('This model does not stream.');
  }
}

function itemsOf({ input }: ModelRequest) {
  return typeof input === 'string' ? [] : input;
}

/** The results of its calls in the last request to the model. */
export function readBy({ requests }: CallingModel): Record<string, ModelReads> {
  const last = requests.at(-1);
  return Object.fromEntries(
    (last === undefined ? [] : itemsOf(last)).flatMap((item) => {
      if (item.type !== 'function_call_result') return [];
      const parts = [item.output]
        .flat()
        .map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part));
      const text = parts.map((part) => ('text' in part ? part.text : '')).join('\n');
      return [[item.callId, { text, images: parts.filter(({ type }) => /image/.test(type)).length }]];
    }),
  );
}

export const agents: Driver = {
  name: '@openai/agents',
  hidesFailure: true,
  answersItself: { call_7_0: /not approved/, call_19_0: /Nothing/ },
  async step({ toolkit }, calls, signal) {
    const model = new CallingModel(calls);
    const agent = new Agent({ name: 'Tester', model, tools: toAgentTools(toolkit) });
    const runner = new Runner({ tracingDisabled: true });
    const unknown = calls.find(({ name }) => toolkit.registry.find(name) === undefined);
    if (unknown !== undefined) {
      // This SDK ends the whole run at an unknown tool.
      const thrown: unknown = await runner.run(agent, 'Go on.', { signal }).catch((error: unknown) => error);
      return { [unknown.id]: { text: String(thrown) } };
    }
    let result = await runner.run(agent, 'Go on.', { signal });
    while (result.interruptions.length > 0) {
      for (const one of result.interruptions) {
        if (JSON.stringify(one.rawItem).includes('yes')) result.state.approve(one);
        else result.state.reject(one);
      }
      result = await runner.run(agent, result.state, { signal });
    }
    return readBy(model);
  },
};
