import { type Content, GoogleGenAI } from '@google/genai';
import { fromGemini, toGeminiParts, toGeminiTools } from '../../../src/adapters/gemini.js';
import type { Driver } from '../driver.js';
import { scriptedServer } from './scripted-fetch.js';

export const gemini: Driver = {
  name: '@google/genai',
  async step({ toolkit }, calls, signal) {
    const parts = calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }));
    const server = await scriptedServer([{ candidates: [{ content: { role: 'model', parts } }] }, { candidates: [] }]);
    const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: server.url } });
    const config = { tools: toGeminiTools(toolkit.definitions()) };
    const asked: Content = { role: 'user', parts: [{ text: 'Go on.' }] };
    const answer = await client.models.generateContent({ model: 'scripted', contents: [asked], config });
    const { results } = await toolkit.execute(fromGemini(answer, toolkit.definitions()), { signal });
    const said = answer.candidates?.[0]?.content ?? { role: 'model', parts: [] };
    const contents: Content[] = [asked, said, { role: 'user', parts: toGeminiParts(results) }];
    await client.models.generateContent({ model: 'scripted', contents, config });
    await server.close();
    const last = server.sent.at(-1) as unknown as { contents: Content[] };
    return Object.fromEntries(
      (last.contents.at(-1)?.parts ?? []).map(({ functionResponse = {} }) => {
        const { id = '', response = {}, parts: shown = [] } = functionResponse;
        const isError = 'error' in response;
        return [id, { text: String(response.output ?? response.error), images: shown.length, isError }];
      }),
    );
  },
};
