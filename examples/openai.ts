/**
 * Chat Completions and the Responses API of OpenAI, with strict arguments where the schema supports them.
 *
 * npx tsx examples/openai.ts   needs no network and no key: the answers are scripted
 */
import OpenAI from 'openai';
import { fromOpenAI, toOpenAIMessages, toOpenAIOutputs, toOpenAITools } from 'toolwright/openai';
import { inWorkspace, scriptedFetch } from './adapters/workspace.js';

const asked = { role: 'user' as const, content: 'Take notes.' };

await inWorkspace(async ({ toolkit, calls, expected }) => {
  const functions = calls.map(({ id, name, input }) => ({ id, name, arguments: JSON.stringify(input) }));

  const tool_calls = functions.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
  const chat = scriptedFetch({ choices: [{ message: { role: 'assistant', content: null, tool_calls } }] });
  const client = new OpenAI({ apiKey: 'none', fetch: chat.fetch });
  const tools = toOpenAITools(toolkit.definitions(), { api: 'chat', strict: true });
  const answer = await client.chat.completions.create({ model: 'scripted', tools, messages: [asked] });
  const turn = await toolkit.execute(fromOpenAI(answer));
  const said = answer.choices.map((choice) => choice.message);
  const messages = [asked, ...said, ...toOpenAIMessages(turn.results)];
  await client.chat.completions.create({ model: 'scripted', tools, messages });

  const output = functions.map(({ id, ...call }) => ({ type: 'function_call', call_id: id, ...call }));
  const responses = scriptedFetch({ id: 'resp_1', object: 'response', output });
  const other = new OpenAI({ apiKey: 'none', fetch: responses.fetch });
  const strict = toOpenAITools(toolkit.definitions(), { api: 'responses', strict: true });
  const response = await other.responses.create({ model: 'scripted', tools: strict, input: [asked] });
  const { results } = await toolkit.execute(fromOpenAI(response));
  const input = toOpenAIOutputs(results);
  await other.responses.create({ model: 'scripted', tools: strict, input, previous_response_id: response.id });

  const read = JSON.stringify(expected).slice(1, -1);
  return {
    'calls of one message ran in their order': chat.sent.at(-1)?.includes(read) === true,
    'in the Responses API too': responses.sent.at(-1)?.includes(read) === true,
    'tools are strict where their schema can be': chat.sent[0]?.includes('"strict":true') === true,
  };
});
