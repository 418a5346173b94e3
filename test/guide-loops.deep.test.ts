import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AIMessage } from '@langchain/core/messages';
import { expect } from 'vitest';
import type { createPermissions, createToolkit, Toolkit } from '../src/index.js';
import { compileTexts } from './support/compiled-programs.js';
import { table } from './support/each-row.js';

const guides = fileURLToPath(new URL('../docs/guides/', import.meta.url));

/** The loop of a guide, with the library from the same compilation. */
interface Loop {
  readonly createPermissions: typeof createPermissions;
  readonly createToolkit: typeof createToolkit;
  runTask(client: object, toolkit: Toolkit, task: string, signal: AbortSignal): Promise<string>;
}

interface Provider {
  readonly guide: string;
  /** A client that returns the answers in turn by `next`. */
  client(next: () => object): object;
  readonly calls: object;
  readonly done: object;
  /** A call in an answer that was cut. */
  readonly cut: object;
  readonly refused: object;
}

const command = 'touch made; sleep 600';
const bash = { name: 'Bash', arguments: JSON.stringify({ command }) };
const toolUse = { type: 'tool_use', id: 'call_1', name: 'Bash', input: { command } };
const toolCall = { id: 'call_1', name: 'Bash', args: { command } };
const functionCall = { parts: [{ functionCall: { name: 'Bash', args: { command } } }], role: 'model' };
const answerText = { type: 'message', content: [{ type: 'output_text', text: 'Done.' }] };
const refusal = { type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] };

const providers: readonly Provider[] = [
  {
    guide: 'anthropic',
    client: (next) => ({ messages: { create: async () => next() } }),
    calls: { stop_reason: 'tool_use', content: [toolUse] },
    done: { stop_reason: 'end_turn', content: [{ type: 'text', text: 'Done.' }] },
    cut: { stop_reason: 'max_tokens', content: [toolUse] },
    refused: { stop_reason: 'refusal', content: [] },
  },
  {
    guide: 'openai',
    client: (next) => ({ responses: { create: async () => next() } }),
    calls: { id: 'r', status: 'completed', output: [{ type: 'function_call', call_id: 'call_1', ...bash }] },
    done: { id: 'r', status: 'completed', output: [answerText], output_text: 'Done.' },
    cut: {
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ type: 'function_call', call_id: 'call_1', ...bash }],
    },
    refused: { status: 'completed', output: [refusal], output_text: '' },
  },
  {
    guide: 'gemini',
    client: (next) => ({ models: { generateContent: async () => next() } }),
    calls: { candidates: [{ finishReason: 'STOP', content: functionCall }] },
    done: {
      candidates: [{ finishReason: 'STOP', content: { role: 'model', parts: [{ text: 'Done.' }] } }],
      text: 'Done.',
    },
    cut: { candidates: [{ finishReason: 'MAX_TOKENS', content: functionCall }] },
    refused: { promptFeedback: { blockReason: 'SAFETY' } },
  },
  {
    guide: 'langchain',
    client: (next) => ({ bindTools: () => ({ invoke: async () => next() }) }),
    calls: new AIMessage({ content: '', tool_calls: [toolCall], response_metadata: { stop_reason: 'tool_use' } }),
    done: new AIMessage({ content: 'Done.', response_metadata: { finish_reason: 'stop' } }),
    cut: new AIMessage({ content: '', tool_calls: [toolCall], response_metadata: { finish_reason: 'length' } }),
    refused: new AIMessage({ content: 'No.', response_metadata: { stop_reason: 'refusal' } }),
  },
];

table(providers)('the loop of a guide ends at a cut answer, a refusal and an abort', async (provider) => {
  const page = await readFile(join(guides, `${provider.guide}.md`), 'utf8');
  const code = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block);
  const loop = code.find((block) => block.includes('export async function runTask')) ?? '';
  const [script = ''] = await compileTexts([
    `${loop}\nexport { createPermissions, createToolkit } from 'toolwright';\n`,
  ]);
  const { createPermissions, createToolkit, runTask } = (await import(script)) as Loop;

  const ended = async (answers: readonly object[], abortsAtStart = false) => {
    const root = await mkdtemp(join(tmpdir(), 'toolwright-test-'));
    const abort = new AbortController();
    let [asked, started] = [0, 0];
    const toolkit = createToolkit({
      root,
      permissions: createPermissions({ allow: ['Bash'] }),
      onEvent: ({ type }) => {
        if (type !== 'tool-start') return;
        started += 1;
        if (abortsAtStart) abort.abort();
      },
    });
    const client = provider.client(() => {
      abort.signal.throwIfAborted();
      return answers[asked++] ?? {};
    });
    try {
      const text = await runTask(client, toolkit, 'Make a file.', abort.signal).catch(String);
      return { text, asked, started };
    } finally {
      await toolkit.dispose();
      await rm(root, { recursive: true });
    }
  };
  const { calls, done, cut, refused } = provider;
  expect(await ended([done])).toEqual({ text: 'Done.', asked: 1, started: 0 });
  expect(await ended([cut, done])).toEqual({ text: expect.stringMatching(/model stopped: /), asked: 1, started: 0 });
  expect(await ended([refused, done])).toEqual({
    text: expect.stringMatching(/model (?:stopped|refused): /),
    asked: 1,
    started: 0,
  });
  expect(await ended([calls, done], true)).toEqual({
    text: expect.stringMatching(/^Interrupted\.$|abort/i),
    asked: 1,
    started: 1,
  });
});
