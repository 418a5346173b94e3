import fc from 'fast-check';
import { createToolkit } from 'toolwright';
import {
  fromPglite,
  managedFiles,
  managedStores,
  memoryIndex,
  memoryStores,
  memoryTools,
  migrate,
} from 'toolwright/managed';
import { callTool, memoryFiles } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import { chunksOf } from '../../src/managed/memory/chunks.js';
import { bob, installation, memoryIndexTests, other, root } from '../support/memory-index-cases.js';
import { emptyPglite } from '../support/pglite.js';

const inMemory = (embedder?: Parameters<typeof memoryIndex>[0]['embedder']) => {
  const stores = memoryStores();
  return { stores, index: memoryIndex({ stores, embedder }) };
};

describe('over documents', () => memoryIndexTests(async (embedder) => inMemory(embedder)));

describe('over tables', () =>
  memoryIndexTests(async (embedder) => {
    const client = fromPglite(await emptyPglite());
    await migrate(client);
    return { stores: managedStores(client), index: memoryIndex({ client, embedder }) };
  }));

test('documents are embedded again after the size of the vectors has changed', async () => {
  const client = fromPglite(await emptyPglite());
  await migrate(client);
  const agent = { agentId: 'helper', userId: undefined };
  await managedStores(client).memory.put(agent, 'memory/a.md', Buffer.from('green tea\n'));
  const found = async (dimensions: number) => {
    const embed = async (texts: readonly string[]) => texts.map(() => Array.from({ length: dimensions }, () => 1));
    const index = memoryIndex({ client, embedder: { model: 'm', dimensions, embed } });
    const scope = { caller: { sessionId: 's', agentId: 'helper' }, signal: AbortSignal.any([]) };
    return (await index.search({ query: 'beverage' }, scope)).map(({ path }) => path);
  };
  expect([await found(2), await found(3)]).toEqual([['memory/a.md'], ['memory/a.md']]);
});

describe('the files of an installation', () => {
  test('are those of the calling user and agent, and in an open agent also those of the agent', async () => {
    const { stores, write, read } = installation(inMemory());
    await stores.contextFiles.put({ agentId: 'helper', userId: undefined }, 'SOUL.md', Buffer.from('kind\n'));
    expect((await read('SOUL.md')).output).toBe('1\tkind');
    expect(await write('SOUL.md', 'blunt\n')).toMatchObject({ ok: true });
    expect([(await read('SOUL.md')).output, (await read('SOUL.md', bob)).output]).toEqual(['1\tblunt', '1\tkind']);
    expect((await read('SOUL.md', other)).error?.code).toBe('file_not_found');
    await write('memory/today.md', 'Ann likes tea.\n');
    for (const caller of [bob, other]) {
      expect((await read('memory/today.md', caller)).error?.code).toBe('file_not_found');
    }
    expect((await read('a.txt', bob)).output).toBe('1\ton the disk');
  });

  test('are shared in a predefined agent, except USER.md', async () => {
    const { write, read } = installation(inMemory(), 'predefined');
    await write('SOUL.md', 'shared\n');
    await write('USER.md', 'Ann\n');
    expect((await read('SOUL.md', bob)).output).toBe('1\tshared');
    expect((await read('USER.md', bob)).error?.code).toBe('file_not_found');
  });

  test('have one spelling: another is written neither to the disk nor to a store', async () => {
    const { call, write, read } = installation(inMemory());
    await write('SOUL.md', 'kind\n');
    for (const [name, known] of [
      ['soul.md', 'SOUL.md'],
      ['Memory.md', 'MEMORY.md'],
      ['Memory/tea.md', 'memory/tea.md'],
    ] as const) {
      const answers = [await write(name, 'x\n'), await read(name)];
      for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
      expect(answers[0]?.output).toContain(`${name} is called ${known} here. Use that name.`);
    }
    expect((await call('List', { path: root })).output).not.toMatch(/soul|Memory/);
  });

  test('lose BOOTSTRAP.md once it is written empty', async () => {
    const { stores, write, read } = installation(inMemory());
    await write('BOOTSTRAP.md', 'Ask for a name.\n');
    await read('BOOTSTRAP.md');
    await write('BOOTSTRAP.md', '');
    expect((await read('BOOTSTRAP.md')).error?.code).toBe('file_not_found');
    expect(await stores.contextFiles.names({ agentId: 'helper', userId: 'ann' })).toEqual([]);
  });

  test('need a valid answer of kindOf', async () => {
    const stores = memoryStores();
    expect(() => managedFiles({ stores } as never)).toThrow('managedFiles: pass kindOf');
    expect(() => memoryIndex({} as never)).toThrow('memoryIndex takes either client or stores');
    expect(() => memoryTools({} as never)).toThrow('memoryTools(memoryIndex({ stores }))');
    const files = managedFiles({ stores, kindOf: () => 'opened' as never });
    const toolkit = createToolkit({ root, hosts: { files: memoryFiles({}) }, mounts: files });
    expect((await toolkit.call('Read', { file_path: `${root}/SOUL.md` })).output).toContain("'open' or 'predefined'");
  });
});

test('a long snippet is cut between characters', async () => {
  const hit = { path: 'MEMORY.md', startLine: 1, endLine: 1, score: 1, snippet: `x${'😀'.repeat(400)}` };
  const [search] = memoryTools({ ...inMemory().index, search: async () => [hit] });
  expect((await callTool(search, { query: 'x' })).output).toMatch(/x(?:😀){349}…$/u);
});

test('chunks contain every line of a document, in order, and have about 400 tokens', () => {
  const line = fc.oneof(
    fc.constant(''),
    fc.constant('# A heading'),
    fc.lorem({ maxCount: 30 }),
    fc.string({ maxLength: 40 }),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 120 }), (lines) => {
      const chunks = chunksOf(lines.join('\n'));
      const covered = new Set(
        chunks.flatMap(({ startLine, endLine }) =>
          Array.from({ length: endLine - startLine + 1 }, (_, index) => startLine + index),
        ),
      );
      const missing = lines.flatMap((text, index) => (text.trim() !== '' && !covered.has(index + 1) ? [text] : []));
      expect(missing).toEqual([]);
      for (const { text } of chunks) expect(text.length).toBeLessThanOrEqual(2_000);
      expect(chunks.map(({ startLine }) => startLine)).toEqual(
        chunks.map(({ startLine }) => startLine).toSorted((a, b) => a - b),
      );
    }),
  );
  const long = chunksOf(`# One\n${'word '.repeat(700)}`);
  expect(long.length).toBeGreaterThan(1);
  expect(chunksOf('')).toEqual([]);
  expect(chunksOf('\n \n\n  indented\ntext\n\n')).toMatchObject([
    { startLine: 4, endLine: 5, text: '  indented\ntext' },
  ]);
});
