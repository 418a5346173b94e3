import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import sharp from 'sharp';
import { mcpTool } from 'toolwright/mcp';
import { describe, expect, test } from 'vitest';
import type { ToolEvent } from '../../../src/index.js';
import { mcpDescription } from '../../../src/tools/mcp/server-tool.js';
import { assessed } from '../../support/assessed.js';
import { toolContext } from '../../support/call-scope.js';
import { eachRow } from '../../support/each-row.js';
import { FakeMcpClient } from '../../support/fake-mcp-client.js';
import { mcpWorld } from './mcp-world.js';

const png = async (side: number) =>
  (
    await sharp({ create: { width: side, height: side, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
  ).toString('base64');

/** The result of a call with this answer of the server. */
async function resultOf(answer: unknown, options: Parameters<typeof mcpWorld>[1] = {}) {
  const client = new FakeMcpClient({ a: { tools: [{ name: 'x' }] } });
  client.answer = () => answer;
  const { toolkit } = await mcpWorld(client, options);
  return { toolkit, result: await toolkit.call('mcp__a__x', {}) };
}
const content = (...parts: readonly unknown[]) => ({ content: parts });
const say = (text: string) => ({ type: 'text', text });

describe('text', () => {
  test('parts come in order', async () => {
    const link = { type: 'resource_link', uri: 'file:///b', name: 'B', description: 'the b' };
    const embedded = { type: 'resource', resource: { uri: 'demo://1', mimeType: 'text/plain', text: 'inside' } };
    const { result } = await resultOf(content(say('one'), embedded, link, say('two')));
    expect(result.output).toBe(
      'one\nResource demo://1:\ninside\n[Resource file:///b (B: the b); see ReadMcpResource]\ntwo',
    );
  });

  test('text is shown as by a terminal', async () => {
    const { result } = await resultOf(content(say('\u001b[1mbold\u001b[0m x'), say('50%\r100%\n')));
    expect(result.output).toBe('bold x\n100%\n');
  });

  test('an empty result says so', async () =>
    expect((await resultOf(content())).result.output).toBe('[The tool answered without content]'));

  test('text over the limit is saved to a file that Read may open', async () => {
    const { toolkit, result } = await resultOf(content(say('line\n'.repeat(20_000))));
    const [, path = ''] = /full output: (\S+?)\]/.exec(result.output) ?? [];
    expect(result.output.length).toBeLessThan(31_000);
    expect(await toolkit.call('Read', { file_path: path, offset: 19_999, limit: 1 })).toMatchObject({ ok: true });
  });

  test('200 MB need only the memory of the limit', async () => {
    const { result } = await resultOf(content(say('a'.repeat(200_000_000)), say('b'.repeat(10_000_000))), {
      limits: { mcp: { maxResultChars: 100_000 } },
    });
    expect(result).toMatchObject({ ok: true });
    expect(result.output.length).toBeLessThan(40_000);
  });
});

describe('structured content', () => {
  const rows = [
    ['is shown where there is no text', { structuredContent: { n: 1 } }, '{\n  "n": 1\n}'],
    ['follows text that says less', { ...content(say('one')), structuredContent: { n: 1 } }, 'one\n{\n  "n": 1\n}'],
    ['is left out where the text is it', { ...content(say('{"n": 1}')), structuredContent: { n: 1 } }, '{"n": 1}'],
    ['is left out where the text is wrapped', { ...content(say('hi')), structuredContent: { result: 'hi' } }, 'hi'],
    ['is left out where it is the parts', { ...content(say('hi')), structuredContent: { content: [say('hi')] } }, 'hi'],
    [
      'is left out where the text is what it wraps, whatever the name',
      { ...content(say('{"n":1}')), structuredContent: { data: { n: 1 } } },
      '{"n":1}',
    ],
    ['is shown where it is a list', { ...content(), structuredContent: [{ id: 1 }] }, '[\n  {\n    "id": 1\n  }\n]'],
    ['is shown where it is an empty list', { ...content(), structuredContent: [] }, '[]'],
    ['is shown where it is a number', { content: [], structuredContent: 42 }, '42'],
    ['is shown where it is false', { structuredContent: false }, 'false'],
    ['is shown where it is null and all there is', { content: [], structuredContent: null }, 'null'],
    ['is left out where it is null beside text', { ...content(say('hi')), structuredContent: null }, 'hi'],
    ['is shown as it is where it is text', { content: [], structuredContent: 'plain words' }, 'plain words'],
    ['is left out where the text is it, as a number', { ...content(say('42')), structuredContent: 42 }, '42'],
    ['is left out where the text is it, as text', { ...content(say('hi')), structuredContent: 'hi' }, 'hi'],
    ['is shown where the parts are no list', { content: null, structuredContent: 'kept' }, 'kept'],
    [
      'keeps names that objects inherit',
      JSON.parse('{"structuredContent":{"__proto__":{"constructor":1}}}'),
      '{\n  "__proto__": {\n    "constructor": 1\n  }\n}',
    ],
  ] as const;
  test('is shown if the text does not contain it', () =>
    eachRow(rows, async ([, answer, output]) => {
      const { result } = await resultOf(answer);
      expect(result).toMatchObject({ ok: true, output });
      expect({}).not.toHaveProperty('polluted');
    }));

  test('is in metadata for programs', async () => {
    const { result } = await resultOf({ structuredContent: { n: 1 } });
    expect(result.metadata).toEqual({ server: 'a', tool: 'x', structuredContent: { n: 1 } });
  });
});

describe('images, audio and bytes', () => {
  test('an image is attached, and scaled down if it is too large', async () => {
    const { result } = await resultOf(content({ type: 'image', data: await png(10), mimeType: 'image/png' }));
    expect(result).toMatchObject({ output: '[Image: image/png]', attachments: [{ mediaType: 'image/png' }] });
    const large = await resultOf(content({ type: 'image', data: await png(8_300), mimeType: 'image/png' }));
    const [attachment] = (large.result.ok && large.result.attachments) || [];
    const { width = 0 } = await sharp(Buffer.from(attachment?.data ?? '', 'base64')).metadata();
    expect(width).toBeLessThanOrEqual(8_000);
  });

  test('images of an error are saved, because errors have no attachments', async () => {
    const image = { type: 'image', data: await png(10), mimeType: 'image/png' };
    const rows = [
      [content(image), 'Image: image/png'],
      [content(say('no page'), image), 'no page'],
      [content({ type: 'audio', data: image.data, mimeType: 'audio/wav' }), 'Audio: image/png'],
      [content({ type: 'resource', resource: { uri: 'x:1', blob: image.data } }), 'Resource x:1: image/png'],
      [{ ...content(image), structuredContent: [1] }, '1'],
    ] as const;
    await eachRow(rows, async ([answer, words]) => {
      const { toolkit, result } = await resultOf({ ...answer, isError: true });
      expect(result).toMatchObject({ ok: false, output: expect.stringContaining(words) });
      const [, path = ''] = /in (\S+);/.exec(result.output) ?? [];
      expect(await toolkit.call('Read', { file_path: path })).toMatchObject({ attachments: [{ data: image.data }] });
    });
  });

  test('an image that cannot be scaled down is saved', async () => {
    const { result } = await resultOf(content({ type: 'image', data: await png(8_300), mimeType: 'image/png' }), {
      hosts: { images: { resize: async () => undefined } },
    });
    const [, path = ''] = /in (\S+);/.exec(result.output) ?? [];
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe('600');
    expect(result).not.toHaveProperty('attachments');
  });

  test('the bytes of an image decide, not its declared type', async () => {
    const { result } = await resultOf(content({ type: 'image', data: await png(10), mimeType: 'text/html' }));
    expect(result).toMatchObject({ attachments: [{ mediaType: 'image/png' }] });
    const damaged = await resultOf(
      content({ type: 'image', data: (await png(10)).slice(0, 40), mimeType: 'image/png' }),
    );
    expect(damaged.result.output).toContain('cut off or damaged');
  });

  test('audio is attached', async () => {
    const data = Buffer.from('RIFF....WAVEfmt ').toString('base64');
    const { result } = await resultOf(content({ type: 'audio', data, mimeType: 'audio/wav' }));
    expect(result).toMatchObject({ output: '[Audio: audio/wav]', attachments: [{ mediaType: 'audio/wav', data }] });
  });

  test('other bytes are saved to a file, text bytes are shown', async () => {
    const bytes = Buffer.from([0, 1, 2, 255]);
    const blob = (mimeType: string, blob: Buffer) => ({
      type: 'resource',
      resource: { uri: 'demo://b', mimeType, blob: blob.toString('base64') },
    });
    const { result } = await resultOf(
      content(blob('application/x-thing', bytes), blob('text/csv', Buffer.from('a,b'))),
    );
    const [, path = ''] = /in (\S+);/.exec(result.output) ?? [];
    expect(await readFile(path)).toEqual(bytes);
    expect(result.output).toContain('Resource demo://b:\na,b');
  });

  test('the number of attachments is limited', async () => {
    const image = { type: 'image', data: await png(2), mimeType: 'image/png' };
    const { result } = await resultOf(content(...Array.from({ length: 25 }, () => image)));
    expect(result.ok && result.attachments).toHaveLength(20);
  });
});

test('an error of the tool has its text', async () => {
  const { result } = await resultOf({ ...content(say('no such repo')), isError: true });
  expect(result).toMatchObject({ ok: false, error: { code: 'mcp_tool_error' } });
  expect(result.output).toBe('Error: x of the MCP server a failed: no such repo');
});

const noResults = [
  ['nothing', undefined],
  ['null', null],
  ['a text', 'text'],
  ['a list', []],
  ['a number for content', { content: 5 }],
] as const;
test('an invalid result is an error', () =>
  eachRow(noResults, async ([, answer]) =>
    expect((await resultOf(answer)).result).toMatchObject({ ok: false, error: { code: 'mcp_tool_error' } }),
  ));

test('invalid parts are omitted, and the result says so', async () => {
  const parts = [
    ...[null, 3, 'text', [], {}, { type: 'text' }, { type: 'text', text: 5 }, { type: '__proto__' }, { type: {} }],
    ...[{ type: 'image' }, { type: 'image', data: 7 }, { type: 'resource' }, { type: 'resource', resource: null }],
    ...[
      { type: 'resource_link', uri: 5 },
      { type: 'image', data: '%%%', mimeType: '\n' },
    ],
  ];
  const { result } = await resultOf(content(...parts, say('kept')));
  expect(result).toMatchObject({ ok: true });
  expect(result.output.endsWith('\nkept')).toBe(true);
  expect(result.output.match(/is left out\]/g)).toHaveLength(12);
});

test('progress reaches the listener', async () => {
  const client = new FakeMcpClient({ a: { tools: [{ name: 'x' }] } });
  client.answer = ({ onProgress }) => {
    onProgress?.({ progress: 1, total: 3 });
    onProgress?.({ progress: 2, message: 'half\u001b[1A way' });
    return content(say('done'));
  };
  const { toolkit, events } = await mcpWorld(client);
  await toolkit.call('mcp__a__x', {});
  const told = events.filter((event): event is ToolEvent & { type: 'tool-progress' } => event.type === 'tool-progress');
  expect(told).toMatchObject([
    { name: 'mcp__a__x', title: 'x: 1 of 3', metadata: { progress: 1, total: 3 } },
    { title: 'half\\u{1b}[1A way', metadata: { progress: 2 } },
  ]);
});

test('an abort reaches the client', async () => {
  const client = new FakeMcpClient({ a: { tools: [{ name: 'x' }] } });
  const control = new AbortController();
  let heard = false;
  client.answer = (_, { signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        heard = true;
        reject(signal.reason);
      });
      control.abort();
    });
  const { toolkit } = await mcpWorld(client);
  expect(await toolkit.call('mcp__a__x', {}, { signal: control.signal })).toMatchObject({
    error: { code: 'interrupted' },
  });
  expect(heard).toBe(true);
});

const cases: readonly { readonly value: string; readonly class: string; readonly checks: readonly string[] }[] = (
  JSON.parse(readFileSync(new URL('../../fixtures/display-cases.json', import.meta.url), 'utf8')) as never[]
).filter(({ value, class: kind }) => typeof value === 'string' && kind === 'prompt');

test('hidden characters in titles and descriptions are shown', () =>
  eachRow(cases, async ({ value }) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not occur
    const raw = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\uff01-\uff5e]/;
    const made = mcpTool({
      server: value,
      tool: value,
      description: value,
      inputSchema: { type: 'object' },
      client: new FakeMcpClient(),
    });
    expect(made.description).not.toMatch(raw);
    expect((await assessed(made, {})).title).not.toMatch(raw);
    expect((await assessed(made, {})).title).not.toContain('\n');
    expect(made.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  }));

test('a description of any content is bounded', () => {
  expect(mcpDescription('y'.repeat(50_000))).toHaveLength(2_001);
  expect(mcpDescription('\u202e'.repeat(50_000)).length).toBeLessThanOrEqual(2_001);
  expect(mcpDescription('😀'.repeat(50_000))).not.toMatch(/[\ud800-\udbff]…$/);
  expect([undefined, null, 5, {}].map(mcpDescription)).toEqual(['', '', '', '']);
});

test('a tool can be called directly', async () => {
  const client = new FakeMcpClient();
  const made = mcpTool({ server: 'a', tool: 'x', inputSchema: { type: 'object' }, client });
  expect(await made.execute({ n: 1 }, toolContext())).toMatchObject({ output: 'x {"n":1}' });
});
