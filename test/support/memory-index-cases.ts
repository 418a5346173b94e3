import { createToolkit } from 'toolwright';
import { type Embedder, type MemoryIndex, managedFiles, memoryTools } from 'toolwright/managed';
import { memoryFiles } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import type { DocumentTable } from '../../src/ports/file-store.js';
import { eachRow } from './each-row.js';

/** The user Ann of an agent, the user Bob of the same agent, and Ann with another agent. */
export const ann = { sessionId: 's1', agentId: 'helper', userId: 'ann' };
export const bob = { sessionId: 's2', agentId: 'helper', userId: 'bob' };
export const other = { sessionId: 's3', agentId: 'other', userId: 'ann' };

export const root = '/workspace';

/** Stores, and an index of their memory. */
export interface MemoryWorld {
  readonly stores: { readonly contextFiles: DocumentTable; readonly memory: DocumentTable };
  readonly index: MemoryIndex;
}

/** A toolkit over managed files, with the memory tools. */
export function installation({ stores, index }: MemoryWorld, kind: 'open' | 'predefined' = 'open') {
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

/** Cases for every memory index, over the stores that `open` makes. */
export function memoryIndexTests(open: (embedder?: Embedder) => Promise<MemoryWorld>): void {
  describe('memory', () => {
    test('is found by words, that of the user before that of the agent, and not by other users', async () => {
      const { stores, call, write } = installation(await open());
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
        { path: 'memory/ann.md', startLine: 1, endLine: 3 },
        { path: 'memory/team.md', startLine: 1 },
      ]);
      expect(output).toContain('Ann prefers green tea');
      expect((await call('memory_search', { query: 'green tea' }, bob)).output).toContain('memory/team.md');
      expect((await call('memory_search', { query: 'green tea' }, bob)).output).not.toContain('Ann');
      expect((await call('memory_search', { query: 'tea' }, other)).output).toBe(
        'Nothing in memory fits. Try other words.',
      );
    });

    test('is current: changed and removed documents are no longer found', async () => {
      const { stores, call, write } = installation(await open());
      await write('MEMORY.md', 'The door code is on the fridge.\n');
      expect((await call('memory_search', { query: 'fridge' })).output).toContain('MEMORY.md:1-');
      await stores.memory.put({ agentId: 'helper', userId: 'ann' }, 'MEMORY.md', Buffer.from('Nothing to note.\n'));
      expect((await call('memory_search', { query: 'fridge' })).output).toContain('Nothing in memory fits');
      await stores.memory.delete({ agentId: 'helper', userId: 'ann' }, 'MEMORY.md');
      expect((await call('memory_search', { query: 'note' })).output).toContain('Nothing in memory fits');
    });

    test('is read by lines, and an unknown name is not read from the disk', async () => {
      const { call, write } = installation(await open());
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

    test('is found by meaning with an embedder, which embeds each chunk once, and by words if that fails', async () => {
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
      const { call, write } = installation(await open(embedder));
      await write('memory/a.md', 'Ann prefers green tea.\n');
      await write('memory/b.md', 'The release is on Friday.\n');
      const first = await call('memory_search', { query: 'favourite beverage', max_results: 1 });
      expect(first.metadata?.results).toMatchObject([{ path: 'memory/a.md' }]);
      await call('memory_search', { query: 'favourite beverage', min_score: 0.9 });
      const chunks = asked.flat().filter((text) => text !== 'favourite beverage');
      expect(chunks.toSorted()).toEqual(['Ann prefers green tea.', 'The release is on Friday.']);
      isDown = true;
      expect((await call('memory_search', { query: 'release' })).output).toContain('memory/b.md');
    });

    test('is found by meaning again after an invalid answer of the embedder', async () => {
      const nonsense: readonly unknown[] = [[Number.NaN, 1], [1], null, 'text', [1e300, 1]];
      let round = 0;
      const embed = async (texts: readonly string[]) =>
        texts.map(() => (round < nonsense.length ? nonsense[round] : [1, 1])) as number[][];
      const { call, write } = installation(await open({ model: 'm', dimensions: 2, embed }));
      await write('memory/a.md', 'green tea\n');
      for (; round < nonsense.length; round++)
        expect((await call('memory_search', { query: 'beverage' })).output).toContain('Nothing in memory fits');
      expect((await call('memory_search', { query: 'beverage' })).output).toContain('green tea');
    });

    test('contains every chunk of a long line, and follows a document that is written repeatedly', async () => {
      const { call, write } = installation(await open());
      const line = (word: string) => Array.from({ length: 900 }, (_, at) => `${word}${at}`).join(' ');
      await write('memory/long.md', `${line('alpha')}\n`);
      expect((await call('memory_search', { query: 'alpha899' })).metadata?.results).toMatchObject([
        { path: 'memory/long.md', startLine: 1 },
      ]);
      await Promise.all(['beta', 'gamma'].map((word) => write('memory/long.md', `\0 ${line(word)}\n`)));
      expect((await call('memory_search', { query: 'alpha1' })).output).toContain('Nothing in memory fits');
      expect((await call('memory_search', { query: "it's -- (weird) & | ! : * <-> \\ alpha" })).ok).toBe(true);
    });
  });
}
