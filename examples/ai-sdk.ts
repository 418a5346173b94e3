/**
 * The AI SDK: parallel calls of a model, and one that asks a person.
 *
 * npx tsx examples/ai-sdk.ts   needs no network and no key: the model is scripted
 */
import { generateText, type ModelMessage, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { toAiTools } from 'toolwright/ai-sdk';
import { inWorkspace, type Workspace } from './adapters/workspace.js';

/** In a real program: `anthropic('…')`, `openai('…')` or a name for the gateway. */
function scriptedModel(calls: Workspace['calls']): MockLanguageModelV3 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const toolCalls = calls.map(({ id, name, input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: JSON.stringify(input),
  }));
  const text = { type: 'text' as const, text: 'Done.' };
  return new MockLanguageModelV3({
    doGenerate: ({ prompt }) => {
      const isAnswered = prompt.some(({ role }) => role === 'tool');
      const finishReason = { unified: isAnswered ? ('stop' as const) : ('tool-calls' as const), raw: undefined };
      return Promise.resolve({ content: isAnswered ? [text] : toolCalls, finishReason, usage, warnings: [] });
    },
  });
}

await inWorkspace(async ({ toolkit, calls, asked, expected }) => {
  const messages: ModelMessage[] = [{ role: 'user', content: 'Take notes.' }];
  const stopWhen = stepCountIs(5);
  const { steps } = await generateText({ model: scriptedModel(calls), tools: toAiTools(toolkit), messages, stopWhen });
  const read = steps[0]?.toolResults.at(-1)?.output as { readonly output: string };

  const model = scriptedModel([asked]);
  const first = await generateText({ model, tools: toAiTools(toolkit), messages, stopWhen });
  const requests = first.content.flatMap((part) => (part.type === 'tool-approval-request' ? [part] : []));
  const answers = requests.map(({ approvalId }) => ({
    type: 'tool-approval-response' as const,
    approvalId,
    approved: true,
  }));
  const answered: ModelMessage[] = [...messages, ...first.response.messages, { role: 'tool', content: answers }];
  const second = await generateText({ model, tools: toAiTools(toolkit), messages: answered, stopWhen });
  return {
    'calls of one step ran in their order': read.output.startsWith(expected),
    'a person was asked': requests.length === 1,
    'and the call ran after the answer': JSON.stringify(second.response.messages).includes('Created'),
  };
});
