import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createToolkit } from 'toolwright';
import { skillStore, skillTools } from 'toolwright/extras/skills';
import { expect, onTestFinished, test } from 'vitest';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = fileURLToPath(new URL('../../examples/skills', import.meta.url));
const keys = ['one', 'two', 'three'].map((name) => ['made', 'up', 'key', name].join('-'));
const says = (text: string) => JSON.stringify({ candidates: [{ content: { parts: [{ text }] } }] });

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

/** A server with the interface of Gemini, and the script of the skill, run by Bash. */
async function world(answer: Answer) {
  const asked: { readonly key: unknown; readonly url: unknown; readonly parts: unknown }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { parts } = JSON.parse(body).contents[0];
    asked.push({ key: request.headers['x-goog-api-key'], url: request.url, parts });
    answer(request, response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const root = temporaryFolder();
  const { port } = server.address() as AddressInfo;
  const env = { GEMINI_API_KEYS: keys.join(','), GEMINI_API_URL: `http://127.0.0.1:${port}` };
  const toolkit = createToolkit({ root, permissions: 'bypassPermissions', shell: { env } });
  onTestFinished(async () => {
    await toolkit.dispose();
    server.closeAllConnections();
    server.close();
  });
  toolkit.registry.register(...skillTools(skillStore({ tiers: [{ name: 'examples', folder }] })));
  const write = (name: string, head: string) => writeFileSync(join(root, name), Buffer.from(head, 'latin1'));
  const script = `node '${join(folder, 'media/scripts/media.mjs')}'`;
  const run = async (words: string, timeout?: number) => {
    const result = await toolkit.call('Bash', { command: `${script} ${words}`, timeout });
    for (const key of keys) expect(JSON.stringify(result)).not.toContain(key);
    return result;
  };
  return { asked, root, toolkit, write, run };
}

test('the skill is loaded with its script and its tools', async () => {
  const { toolkit } = await world(() => {});
  expect(toolkit.instructions()).toContain('- media: Looks into pictures, sound, video and PDF files');
  expect(await toolkit.call('Skill', { name: 'media' })).toMatchObject({
    output: expect.stringContaining('scripts/media.mjs'),
    metadata: { allowedTools: ['Bash(node *)', 'Read'] },
  });
});

test('files are sent one by one, each with its type', async () => {
  const { asked, root, write, run } = await world((_, response) => response.end(says(`It is number ${asked.length}.`)));
  const kinds = [
    ['image/png', '\x89PNG\r\n'],
    ['image/jpeg', '\xff\xd8\xff\xe0'],
    ['image/webp', 'RIFF\0\0\0\0WEBP'],
    ['audio/wav', 'RIFF\0\0\0\0WAVE'],
    ['audio/mp3', 'ID3'],
    ['video/mp4', '\0\0\0\x18ftypisom'],
    ['video/webm', '\x1a\x45\xdf\xa3'],
    ['application/pdf', '%PDF-1.7'],
  ] as const;
  for (const [index, [, head]] of kinds.entries()) write(`${index}.dat`, head);
  write('notes.png', 'no picture');
  const files = [...kinds.keys()].map((index) => `${index}.dat`).join(' ');
  const { output } = await run(`--task text --format json ${files} notes.png missing.png`);
  expect(
    asked.map(({ parts }) => (parts as [{ inline_data: { mime_type: string } }])[0].inline_data.mime_type),
  ).toEqual(kinds.map(([mediaType]) => mediaType));
  expect(asked[0]).toMatchObject({
    url: '/v1beta/models/gemini-2.5-flash:generateContent',
    parts: [{}, { text: expect.stringContaining('Write down all text') }],
  });
  const results = JSON.parse(output.replace(/\nExit code: 1$/, ''));
  expect(results).toHaveLength(10);
  expect(results[1]).toEqual({ file: '1.dat', mediaType: 'image/jpeg', text: 'It is number 2.' });
  expect(results[8]).toEqual({ file: 'notes.png', error: 'it is no picture, sound, video or PDF that is known' });
  expect(results[9].error).toContain('ENOENT');
  expect((await run('0.dat')).output).toBe('0.dat: It is number 9.\n');
  const asMarkdown = '--format markdown --prompt "How many?" --output found.md 0.dat';
  expect((await run(asMarkdown)).ok).toBe(true);
  expect(readFileSync(join(root, 'found.md'), 'utf8')).toBe('## 0.dat\n\nIt is number 10.\n');
  expect(asked.at(-1)?.parts).toMatchObject([{}, { text: 'How many?' }]);
  // An existing file is not overwritten.
  expect((await run(asMarkdown)).output).toContain('EEXIST');
});

test('a used up or refused key is replaced by the next for all later files', async () => {
  const statuses = [429, 403];
  const { asked, write, run } = await world((_, response) => {
    const status = statuses.shift();
    if (status === undefined) response.end(says('Fine.'));
    else response.writeHead(status).end('{}');
  });
  write('a.png', '\x89PNG');
  expect((await run('a.png a.png')).output).toBe('a.png: Fine.\n\na.png: Fine.\n');
  expect(asked.map(({ key }) => key)).toEqual([keys[0], keys[1], keys[2], keys[2]]);
});

test('an unusable response of the service is the error of one file', async () => {
  let answer: Answer = () => {};
  const { write, run } = await world((...given) => answer(...given));
  write('a.png', '\x89PNG');
  const invalid = JSON.stringify({ error: { details: [{ reason: 'API_KEY_INVALID' }] } });
  const rows = [
    [401, '{}', 'no key is left: all are refused or used up'],
    [429, '{}', 'no key is left'],
    [400, invalid, 'no key is left'],
    [400, '{}', 'the service answered 400'],
    [500, keys.join(), 'the service answered 500'],
    [200, '<html>', 'the service gave no text (no reason)'],
    [200, '{"candidates":[{"finishReason":"SAFETY"}]}', 'the service gave no text (SAFETY)'],
    [200, '{"candidates":7}', 'the service gave no text'],
  ] as const;
  await eachRow(rows, async ([status, body, message]) => {
    answer = (_, response) => response.writeHead(status).end(body);
    const { output } = await run('a.png');
    expect(output).toContain(`a.png: failed: ${message}`);
    expect(output).toMatch(/Exit code: 1$/);
  });
  answer = (_, response) => response.destroy();
  expect((await run('a.png')).output).toContain('a.png: failed: ');
  answer = () => {};
  expect(await run('a.png', 2_000)).toMatchObject({ error: { code: 'timeout' } });
});

test('invalid arguments are reported before a request', async () => {
  const { asked, run } = await world(() => {});
  const rows = [
    ['--task sing a.png', '--task takes describe, text, transcribe'],
    ['--format xml a.png', '--format takes text, json, markdown'],
    ['', 'Name at least one file.'],
    ['--colour red a.png', 'colour'],
  ] as const;
  await eachRow(rows, async ([words, message]) => expect((await run(words)).output).toContain(message));
  expect(asked).toEqual([]);
});
