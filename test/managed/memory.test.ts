import fc from 'fast-check';
import { createToolkit } from 'toolwright';
import { type Embedder, managedFiles, memoryIndex, memoryStores, memoryTools } from 'toolwright/managed';
import { memoryFiles } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import { chunksOf } from '../../src/managed/memory-chunks.js';
import { eachRow } from '../support/each-row.js';

const root = '/workspace';
const ann = { sessionId: 's1', agentId: 'helper', userId: 'ann' };
const bob = { sessionId: 's2', agentId: 'helper', userId: 'bob' };
const other = { sessionId: 's3', agentId: 'other', userId: 'ann' };

function installation({
  kind = 'open' as 'open' | 'predefined',
  embedder,
}: {
  kind?: 'open' | 'predefined';
  embedder?: Embedder;
} = {}) {
  const stores = memoryStores();
  const index = memoryIndex({ stores, embedder });
  const toolkit = createToolkit({
    root,
    hosts: { files: memoryFiles({ files: { '/workspace/a.txt': 'on the disk\n' } }) },
    permissions: 'acceptEdits',
    mounts: managedFiles({ stores, kindOf: () => kind, index }),
  });
  toolkit.registry.register(...memoryTools(index));
  const call = async (name: string, input: object, caller: object = ann) =>
    (await toolkit.call(name, input as never, { caller: caller as typeof ann })) as {
      ok: boolean;
      output: string;
      metadata?: Record<string, unknown>;
      error?: { code: string };
    };
  const write = (name: string, content: string, caller: object = ann) =>
    call('Write', { file_path: `${root}/${name}`, content }, caller);
  const read = (name: string, caller: object = ann) => call('Read', { file_path: `${root}/${name}` }, caller);
  return { stores, toolkit, call, write, read };
}

describe('the files of an installation', () => {
  test('are those of the user and the agent who ask, in an open agent with what the agent itself has', async () => {
    const { stores, write, read } = installation();
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

  test('are shared in a predefined agent, but for USER.md', async () => {
    const { write, read } = installation({ kind: 'predefined' });
    await write('SOUL.md', 'shared\n');
    await write('USER.md', 'Ann\n');
    expect((await read('SOUL.md', bob)).output).toBe('1\tshared');
    expect((await read('USER.md', bob)).error?.code).toBe('file_not_found');
  });

  test('hold no BOOTSTRAP.md any more once it is written empty', async () => {
    const { stores, write, read } = installation();
    await write('BOOTSTRAP.md', 'Ask for a name.\n');
    await read('BOOTSTRAP.md');
    await write('BOOTSTRAP.md', '');
    expect((await read('BOOTSTRAP.md')).error?.code).toBe('file_not_found');
    expect(await stores.contextFiles.names({ agentId: 'helper', userId: 'ann' })).toEqual([]);
  });

  test('ask for an answer that is one', async () => {
    const stores = memoryStores();
    expect(() => managedFiles({ stores } as never)).toThrow('managedFiles: pass kindOf');
    expect(() => memoryIndex({} as never)).toThrow('memoryIndex: pass stores');
    expect(() => memoryTools({} as never)).toThrow('memoryTools(memoryIndex({ stores }))');
    const files = managedFiles({ stores, kindOf: () => 'opened' as never });
    const toolkit = createToolkit({ root, hosts: { files: memoryFiles({}) }, mounts: files });
    expect((await toolkit.call('Read', { file_path: `${root}/SOUL.md` })).output).toContain("'open' or 'predefined'");
  });
});

describe('memory', () => {
  test('is found by words, the own before that of the agent, and by nobody else', async () => {
    const { stores, call, write } = installation();
    const agent = { agentId: 'helper', userId: undefined };
    await stores.memory.put(
      agent,
      'memory/team.md',
      Buffer.from('# Tea\nThe team drinks tea at four, and tea again at six.\n'),
    );
    await write('memory/ann.md', '# Drinks\n\nAnn prefers green tea in the morning.\n');
    await write('memory/work.md', 'The release is on Friday.\n');
    const { output, metadata } = await call('memory_search', { query: 'what tea does she like' });
    expect(metadata?.results).toMatchObject([
      { path: 'memory/ann.md', startLine: 1, endLine: 4 },
      { path: 'memory/team.md', startLine: 1 },
    ]);
    expect(output).toContain('Ann prefers green tea');
    expect((await call('memory_search', { query: 'green tea' }, bob)).output).toContain('memory/team.md');
    expect((await call('memory_search', { query: 'green tea' }, bob)).output).not.toContain('Ann');
    expect((await call('memory_search', { query: 'tea' }, other)).output).toBe(
      'Nothing in memory fits. Try other words.',
    );
  });

  test('is what it is now: changed and removed documents are found no more', async () => {
    const { stores, call, write } = installation();
    await write('MEMORY.md', 'The door code is on the fridge.\n');
    expect((await call('memory_search', { query: 'fridge' })).output).toContain('MEMORY.md:1-');
    await stores.memory.put({ agentId: 'helper', userId: 'ann' }, 'MEMORY.md', Buffer.from('Nothing to note.\n'));
    expect((await call('memory_search', { query: 'fridge' })).output).toContain('Nothing in memory fits');
    await stores.memory.delete({ agentId: 'helper', userId: 'ann' }, 'MEMORY.md');
    expect((await call('memory_search', { query: 'note' })).output).toContain('Nothing in memory fits');
  });

  test('is read by lines, and a name that is none is no file of the disk', async () => {
    const { call, write } = installation();
    await write('memory/list.md', 'one\ntwo\nthree\nfour\n');
    expect((await call('memory_get', { path: 'memory/list.md', from: 2, lines: 2 })).output).toBe('two\nthree');
    await eachRow(
      [
        [{ path: 'a.txt' }, 'file_not_found'],
        [{ path: 'memory/none.md' }, 'file_not_found'],
        [{ path: 'memory/list.md', from: 9 }, 'invalid_input'],
      ] as const,
      async ([input, code]) => expect((await call('memory_get', input)).error?.code).toBe(code),
    );
  });

  test('is found by meaning where there is an embedder, each chunk embedded once, and by words where that fails', async () => {
    const asked: string[][] = [];
    let isDown = false;
    const embedder: Embedder = {
      model: 'fake',
      dimensions: 2,
      embed: async (texts) => {
        if (isDown) throw new Error('the server is down');
        asked.push([...texts]);
        return texts.map((text) => (/drink|tea|beverage/i.test(text) ? [1, 0.1] : [0.1, 1]));
      },
    };
    const { call, write } = installation({ embedder });
    await write('memory/a.md', 'Ann prefers green tea.\n');
    await write('memory/b.md', 'The release is on Friday.\n');
    const first = await call('memory_search', { query: 'favourite beverage', max_results: 1 });
    expect(first.metadata?.results).toMatchObject([{ path: 'memory/a.md' }]);
    await call('memory_search', { query: 'favourite beverage', min_score: 0.9 });
    expect(asked.map(({ length }) => length)).toEqual([3, 1]);
    isDown = true;
    expect((await call('memory_search', { query: 'release' })).output).toContain('memory/b.md');
  });
});

test('chunks hold every line of a document, in order, and are about 400 tokens', () => {
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
});
