/**
 * The Messages API of Anthropic: your own loop, and the tool runner of the SDK.
 *
 * npx tsx examples/anthropic.ts   needs no network and no key: the answers are scripted
 */
import Anthropic from '@anthropic-ai/sdk';
import { fromAnthropic, toAnthropicResults, toAnthropicTools, toRunnableTools } from 'toolwright/anthropic';
import { inWorkspace, scriptedFetch } from './adapters/workspace.js';

const message = (stop_reason: string, content: readonly object[]) => {
  const usage = { input_tokens: 1, output_tokens: 1 };
  return { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted', usage, stop_reason, content };
};
const request = { model: 'scripted', max_tokens: 1_000 };

await inWorkspace(async ({ toolkit, calls, expected }) => {
  const script = [
    message(
      'tool_use',
      calls.map((call) => ({ type: 'tool_use', ...call })),
    ),
    message('end_turn', [{ type: 'text', text: 'Done.' }]),
  ];
  const own = scriptedFetch(...script);
  const client = new Anthropic({ apiKey: 'none', fetch: own.fetch });
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Take notes.' }];
  const definitions = toolkit.definitions();
  const tools = toAnthropicTools(definitions);
  for (;;) {
    const answer = await client.messages.create({ ...request, tools, messages });
    messages.push({ role: 'assistant', content: answer.content });
    if (answer.stop_reason === 'end_turn') break;
    // max_tokens, refusal and so on: the answer was cut, and none of its calls runs.
    if (answer.stop_reason !== 'tool_use') throw new Error(`the model stopped: ${answer.stop_reason}`);
    const { results, interrupted } = await toolkit.execute(fromAnthropic(answer, { definitions }));
    messages.push({ role: 'user', content: toAnthropicResults(results) });
    if (interrupted) break;
  }

  const runs = scriptedFetch(...script);
  const runner = new Anthropic({ apiKey: 'none', fetch: runs.fetch }).beta.messages.toolRunner({
    ...request,
    tools: toRunnableTools(toolkit),
    messages: [{ role: 'user', content: 'Take notes.' }],
  });
  await runner;
  const read = JSON.stringify(expected).slice(1, -1);
  return {
    'calls of one message ran in their order': own.sent.at(-1)?.includes(read) === true,
    'in the tool runner too': runs.sent.at(-1)?.includes(read) === true,
  };
});
