/**
 * Gemini: function declarations, calls and responses.
 *
 * npx tsx examples/gemini.ts   needs no network and no key: the answer of the model is scripted
 */
import {
  type Content,
  FinishReason,
  type GenerateContentParameters,
  type GenerateContentResponse,
} from '@google/genai';
import { fromGemini, toGeminiParts, toGeminiTools } from 'toolwright/gemini';
import { inWorkspace } from './adapters/workspace.js';

await inWorkspace(async ({ toolkit, calls, expected }) => {
  const sent: GenerateContentParameters[] = [];
  // In a real program: new GoogleGenAI({}).models.generateContent
  const generateContent = (request: GenerateContentParameters) => {
    sent.push(structuredClone(request));
    const parts = calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }));
    const content = { role: 'model', parts: sent.length === 1 ? parts : [{ text: 'Done.' }] };
    return Promise.resolve({ candidates: [{ content, finishReason: FinishReason.STOP }] } as GenerateContentResponse);
  };
  const contents: Content[] = [{ role: 'user', parts: [{ text: 'Take notes.' }] }];
  const definitions = toolkit.definitions();
  const config = { tools: toGeminiTools(definitions) };
  for (;;) {
    const response = await generateContent({ model: 'gemini-3.8-flash', contents, config });
    const content = response.candidates?.[0]?.content;
    const { finishReason } = response.candidates?.[0] ?? {};
    // MAX_TOKENS, SAFETY and so on: the answer was cut, and none of its calls runs.
    if (content === undefined || finishReason !== FinishReason.STOP)
      throw new Error(`the model stopped: ${finishReason}`);
    const asked = fromGemini(response, definitions);
    if (asked.length === 0) break;
    const { results, interrupted } = await toolkit.execute(asked);
    contents.push(content, { role: 'user', parts: toGeminiParts(results) });
    if (interrupted) break;
  }
  const read = contents.at(-1)?.parts?.at(-1)?.functionResponse?.response?.output;
  return {
    'calls of one message ran in their order': String(read).startsWith(expected),
    'the model had the results': sent.length === 2,
  };
});
