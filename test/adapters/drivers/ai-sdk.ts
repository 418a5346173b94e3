import { generateText, type ModelMessage, stepCountIs, streamText, type ToolSet } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai/test';
import { toAiTools } from '../../../src/adapters/ai-sdk.js';
import type { ToolCall } from '../../../src/core/call.js';
import type { Driver, ModelReads } from '../driver.js';

type Prompt = MockLanguageModelV3['doGenerateCalls'][number]['prompt'];

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** A model that makes these calls, and is done when it has their results. */
export function callingModel(calls: readonly ToolCall[]): MockLanguageModelV3 {
  const toolCalls = calls.map(({ id, name, input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: typeof input === 'string' ? input : JSON.stringify(input),
  }));
  const isAnswered = (prompt: Prompt) => prompt.some(({ role }) => role === 'tool');
  const finish = (reason: 'stop' | 'tool-calls') => ({ unified: reason, raw: reason });
  return new MockLanguageModelV3({
    doGenerate: ({ prompt }) =>
      Promise.resolve(
        isAnswered(prompt)
          ? { content: [{ type: 'text', text: 'Done.' }], finishReason: finish('stop'), usage, warnings: [] }
          : { content: toolCalls, finishReason: finish('tool-calls'), usage, warnings: [] },
      ),
    doStream: ({ prompt }) =>
      Promise.resolve({
        stream: convertArrayToReadableStream([
          { type: 'stream-start' as const, warnings: [] },
          ...(isAnswered(prompt) ? [] : toolCalls),
          { type: 'finish' as const, finishReason: finish(isAnswered(prompt) ? 'stop' : 'tool-calls'), usage },
        ]),
      }),
  });
}

/** The results of its calls in the last request to the model. */
export function readBy(prompts: readonly Prompt[]): Record<string, ModelReads> {
  const parts = (prompts.at(-1) ?? []).flatMap((message) => (message.role === 'tool' ? message.content : []));
  const results = parts.flatMap((part) => (part.type === 'tool-result' ? [part] : []));
  return Object.fromEntries(
    results.map(({ toolCallId, output }) => {
      if (output.type === 'content') {
        const text = output.value.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
        return [
          toolCallId,
          // Version 7 converts images to files before the request.
          {
            text,
            images: output.value.filter((part) => 'mediaType' in part && /^image/.test(part.mediaType)).length,
            isError: false,
          },
        ];
      }
      if (output.type === 'execution-denied')
        return [toolCallId, { text: `denied: ${output.reason}`, images: 0, isError: true }];
      return [toolCallId, { text: String(output.value), images: 0, isError: output.type === 'error-text' }];
    }),
  );
}

type Run = (
  model: MockLanguageModelV3,
  tools: ToolSet,
  messages: ModelMessage[],
  signal: AbortSignal,
) => Promise<ModelMessage[]>;

const answersItself = { call_7_0: /^denied: /, call_19_0: /Nothing/ };

function driver(name: string, run: Run): Driver {
  return {
    name,
    answersItself,
    async step({ toolkit }, calls, signal) {
      const tools = toAiTools(toolkit);
      const model = callingModel(calls);
      const asked: ModelMessage[] = [{ role: 'user', content: 'Go on.' }];
      const said = await run(model, tools, asked, signal);
      const requests = said.flatMap(({ role, content }) =>
        role === 'assistant' && typeof content !== 'string'
          ? content.flatMap((part) => (part.type === 'tool-approval-request' ? [part] : []))
          : [],
      );
      if (requests.length > 0) {
        const content = requests.map(({ approvalId, toolCallId }) => ({
          type: 'tool-approval-response' as const,
          approvalId,
          approved: JSON.stringify(calls.find(({ id }) => id === toolCallId)).includes('yes'),
        }));
        await run(model, toAiTools(toolkit), [...asked, ...said, { role: 'tool', content }], signal);
      }
      return readBy([...model.doGenerateCalls, ...model.doStreamCalls].map(({ prompt }) => prompt));
    },
  };
}

export const generated = driver('generateText', async (model, tools, messages, abortSignal) => {
  const { response } = await generateText({ model, tools, messages, abortSignal, stopWhen: stepCountIs(3) });
  return response.messages;
});

export const streamed = driver('streamText', async (model, tools, messages, abortSignal) => {
  const stream = streamText({ model, tools, messages, abortSignal, stopWhen: stepCountIs(3), onError: () => {} });
  await stream.consumeStream();
  return (await stream.response).messages;
});
