/**
 * The OpenAI Agents SDK: parallel calls of a model, and one that a person approves.
 *
 * npx tsx examples/openai-agents.ts   needs no network and no key: the model is scripted
 */
import { Agent, type Model, type ModelRequest, Runner, Usage } from '@openai/agents';
import { toAgentTools } from 'toolwright/openai-agents';
import { inWorkspace, type Workspace } from './adapters/workspace.js';

/** In a real program: the name of a model. */
class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = [];
  readonly calls: Workspace['calls'];

  constructor(calls: Workspace['calls']) {
    this.calls = calls;
  }

  getResponse(request: ModelRequest) {
    this.requests.push(request);
    const isAnswered = JSON.stringify(request.input).includes('function_call_result');
    const calls = this.calls.map(({ id, name, input }) => {
      return { type: 'function_call' as const, callId: id, name, arguments: JSON.stringify(input) };
    });
    const content = [{ type: 'output_text' as const, text: 'Done.' }];
    const said = { type: 'message' as const, role: 'assistant' as const, status: 'completed' as const, content };
    return Promise.resolve({ usage: new Usage(), output: isAnswered ? [said] : calls });
  }

  getStreamedResponse(): never {
    throw new Error('This model does not stream.');
  }
}

await inWorkspace(async ({ toolkit, calls, asked, expected }) => {
  const runner = new Runner({ tracingDisabled: true });
  const model = new ScriptedModel(calls);
  const tools = toAgentTools(toolkit);
  await runner.run(new Agent({ name: 'Writer', model, tools }), 'Take notes.');
  const read = JSON.stringify(model.requests.at(-1)?.input);

  const agent = new Agent({ name: 'Writer', model: new ScriptedModel([asked]), tools });
  const { interruptions, state } = await runner.run(agent, 'Take notes.');
  for (const one of interruptions) state.approve(one);
  const { newItems } = await runner.run(agent, state);
  return {
    'calls of one step ran in their order': read.includes(JSON.stringify(expected).slice(1, -1)),
    'a person was asked': interruptions.length === 1,
    'and the call ran after the answer': JSON.stringify(newItems).includes('Created'),
  };
});
