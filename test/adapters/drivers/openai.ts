import OpenAI from 'openai';
import { fromOpenAI, toOpenAIMessages, toOpenAIOutputs, toOpenAITools } from '../../../src/adapters/openai.js';
import type { Driver } from '../driver.js';
import { scriptedFetch } from './scripted-fetch.js';

const request = { model: 'scripted' };
const asked = { role: 'user' as const, content: 'Go on.' };

function textOf(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input);
}

export const chat: Driver = {
  name: 'openai, chat completions',
  hidesFailure: true,
  hidesImages: true,
  answersItself: { call_14_0: /^Here\. \[Attachment not shown: image\/png/ },
  async step({ toolkit }, calls, signal) {
    const toolCalls = calls.map(({ id, name, input }) => ({
      id,
      type: 'function',
      function: { name, arguments: textOf(input) },
    }));
    const message = { role: 'assistant', content: null, tool_calls: toolCalls };
    const { fetch, sent } = scriptedFetch([{ choices: [{ index: 0, finish_reason: 'tool_calls', message }] }]);
    const client = new OpenAI({ apiKey: 'none', fetch, maxRetries: 0 });
    const tools = toOpenAITools(toolkit.definitions(), { api: 'chat', strict: true });
    const answer = await client.chat.completions.create({ ...request, tools, messages: [asked] });
    const { results } = await toolkit.execute(fromOpenAI(answer), { signal });
    const said = answer.choices.map((choice) => choice.message);
    await client.chat.completions.create({
      ...request,
      tools,
      messages: [asked, ...said, ...toOpenAIMessages(results)],
    });
    const { messages } = sent.at(-1) as { messages: { role: string; tool_call_id: string; content: string }[] };
    const answers = messages.filter(({ role }) => role === 'tool');
    return Object.fromEntries(answers.map(({ tool_call_id, content }) => [tool_call_id, { text: content }]));
  },
};

export const responses: Driver = {
  name: 'openai, responses',
  hidesFailure: true,
  async step({ toolkit }, calls, signal) {
    const output = calls.map(({ id, name, input }) => ({
      id: `fc_${id}`,
      type: 'function_call',
      call_id: id,
      name,
      arguments: textOf(input),
      status: 'completed',
    }));
    const { fetch, sent } = scriptedFetch([{ id: 'resp_1', object: 'response', output }]);
    const client = new OpenAI({ apiKey: 'none', fetch, maxRetries: 0 });
    const tools = toOpenAITools(toolkit.definitions(), { api: 'responses', strict: true });
    const answer = await client.responses.create({ ...request, tools, input: [asked] });
    const { results } = await toolkit.execute(fromOpenAI(answer), { signal });
    const input = [asked, ...answer.output, ...toOpenAIOutputs(results)] as OpenAI.Responses.ResponseInput;
    await client.responses.create({ ...request, tools, input });
    const items = (sent.at(-1) as { input: ReturnType<typeof toOpenAIOutputs>[number][] }).input;
    return Object.fromEntries(
      items.flatMap((item) => {
        if (item.type !== 'function_call_output') return [];
        const parts =
          typeof item.output === 'string' ? [{ type: 'input_text' as const, text: item.output }] : item.output;
        const text = parts.map((part) => (part.type === 'input_text' ? part.text : '')).join('\n');
        return [[item.call_id, { text, images: parts.filter(({ type }) => type === 'input_image').length }]];
      }),
    );
  },
};
