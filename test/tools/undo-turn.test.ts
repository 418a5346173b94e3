import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createToolkit, defaultLimits, ToolError } from 'toolwright';
import { hostFiles, ReadLedger } from 'toolwright/files';
import { memoryFiles, scriptedShell } from 'toolwright/testing';
import { FileChanges, undoTurnTool } from 'toolwright/tools';
import { describe, expect, test } from 'vitest';
import { decorateFiles } from '../../src/files/mounts/decorate-files.js';
import type { FileSystem } from '../../src/index.js';
import { assessed } from '../support/assessed.js';
import { callScope, toolContext } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { codeOf, undoWorkspace } from '../support/undo-workspace.js';

const undoTurnOver = (files: FileSystem, changes: FileChanges) =>
  undoTurnTool({ files, changes, ledger: new ReadLedger(), limits: defaultLimits.write });

describe('UndoTurn', () => {
  test('undoes everything of the latest turn, then of the previous one', async () => {
    const { write, edit, beginTurn, undoTurn, text, exists } = undoWorkspace();
    beginTurn();
    await write('a', 'a1');
    beginTurn();
    await write('b', 'b1');
    await edit('a', 'a1', 'a2');
    await edit('a', 'a2', 'a3');
    beginTurn();
    const { metadata } = await undoTurn();
    expect(metadata).toMatchObject({ changes: 3 });
    expect([text('a'), exists('b')]).toEqual(['a1', false]);
    await undoTurn();
    expect(exists('a')).toBe(false);
    expect(await codeOf(undoTurn())).toBe('no_change');
  });

  test('asks for the files of the turn only', async () => {
    const { write, beginTurn, tools, at, root } = undoWorkspace();
    const scope = callScope();
    expect((await assessed(tools.undoTurn, {}, scope)).targets).toEqual([]);
    beginTurn();
    await write('earlier', 'x');
    beginTurn();
    await write('a', 'a1');
    await write('a', 'a2');
    await write('.npmrc', 'x');
    expect((await assessed(tools.undoTurn, {}, scope)).targets).toEqual(
      ['.npmrc', 'a'].map((name) => ({ kind: 'edit', path: at(name), given: at(name), root, isInside: true })),
    );
    expect((await assessed(tools.undoTurn, {}, scope)).verdict).toMatchObject({ behavior: 'ask' });
    expect((await assessed(tools.undoTurn, {}, callScope({ caller: { sessionId: 'other' } }))).targets).toEqual([]);
  });

  test('undoes nothing if one of the files has changed since', async () => {
    const { write, beginTurn, undoTurn, text, at } = undoWorkspace();
    beginTurn();
    await write('a', 'a1');
    await write('b', 'b1');
    writeFileSync(at('a'), 'theirs');
    expect(await codeOf(undoTurn())).toBe('file_changed');
    expect([text('a'), text('b')]).toEqual(['theirs', 'b1']);
  });

  test('names the files that stay, and leaves the others to UndoFile', async () => {
    const { write, beginTurn, undoTurn, undoFile, text, exists, at } = undoWorkspace();
    beginTurn();
    await write('a', 'a1');
    await write('b', 'b1');
    writeFileSync(at('a'), 'theirs');
    await expect(undoTurn()).rejects.toThrow(
      `Nothing was undone. ${at('a')} stays: it has changed since. Take back its other files one by one with UndoFile`,
    );
    await undoFile('b');
    expect([text('a'), exists('b')]).toEqual(['theirs', false]);
    expect(await codeOf(undoTurn())).toBe('file_changed');
  });

  test('undoes the same turn when it is called again after a refusal', async () => {
    const { write, beginTurn, undoTurn, undoFile, exists, at } = undoWorkspace();
    beginTurn();
    await write('one', '1');
    beginTurn();
    await write('two', '2');
    await write('three', '3');
    rmSync(at('two'));
    mkdirSync(at('two'));
    for (let round = 0; round < 2; round++) expect(await codeOf(undoTurn())).toBe('file_changed');
    expect(['one', 'three'].map(exists)).toEqual([true, true]);
    rmSync(at('two'), { recursive: true });
    writeFileSync(at('two'), '2');
    await undoTurn();
    expect(['one', 'two', 'three'].map(exists)).toEqual([true, false, false]);
    await write('two', '2');
    writeFileSync(at('two'), 'theirs');
    await expect(undoTurn()).rejects.toThrow('one by one with UndoFile, which also reaches earlier turns.');
    await undoFile('one');
    expect(exists('one')).toBe(false);
  });

  test('undoes all changes of a file or none, also with a foreign change between two of them', async () => {
    const { write, edit, beginTurn, undoTurn, text, at } = undoWorkspace();
    beginTurn();
    await write('b', 'b1');
    await write('a', 'a1');
    writeFileSync(at('a'), 'theirs');
    await edit('a', 'theirs', 'a2');
    expect(await codeOf(undoTurn())).toBe('file_changed');
    expect([text('a'), text('b')]).toEqual(['a2', 'b1']);
  });

  const rows = [
    ['before', ['large', 'small']],
    ['after', ['small', 'large']],
  ] as const;
  test('names a change that was too large for the record, before or after another one', () =>
    eachRow(rows, async ([, order]) => {
      const { write, beginTurn, undoTurn, exists, at } = undoWorkspace(
        new FileChanges({ limits: { maxUndoChanges: 9, maxUndoBytes: 100 } }),
      );
      beginTurn();
      for (const name of order) {
        const { output } = await write(name, name === 'large' ? 'x'.repeat(200) : 'x');
        expect(output.includes('UndoFile and UndoTurn cannot take it back')).toBe(name === 'large');
      }
      await expect(undoTurn()).rejects.toThrow(`${at('large')} stays: its bytes were too large to record.`);
      expect([exists('small'), exists('large')]).toEqual([true, true]);
    }));

  test('restores the undone changes if the call is aborted', async () => {
    const { root, write, beginTurn, text, exists, at, files, changes } = undoWorkspace();
    await write('a', 'a1');
    beginTurn();
    for (const name of ['a', 'deep/b', 'c']) await write(name, `${name}2`);
    const abort = new AbortController();
    const aborting = decorateFiles(files, {
      async remove(path, scope) {
        const removed = await files.remove(path, scope);
        if (path === at('deep/b')) abort.abort();
        return removed;
      },
    });
    const undoTurn = undoTurnOver(aborting, changes);
    await expect(undoTurn.execute({}, toolContext({ signal: abort.signal }))).rejects.toThrow();
    expect([text('a'), exists('deep/b') && text('deep/b'), exists('c') && text('c')]).toEqual(['a2', 'deep/b2', 'c2']);
    await undoWorkspace(changes, root).undoTurn();
    expect([text('a'), exists('deep'), exists('c')]).toEqual(['a1', false, false]);
  });

  test('continues an undo that ended halfway', async () => {
    const folder = temporaryFolder();
    const { root, write, edit, beginTurn, undoFile, at } = undoWorkspace(new FileChanges({ folder }));
    await write('a', 'a1');
    beginTurn();
    await write('b', 'b1');
    await edit('a', 'a1', 'a2');
    await edit('a', 'a2', 'a3');
    const journal = readFileSync(join(folder, 'changes.jsonl'));
    await undoFile('a');
    rmSync(at('b'));
    writeFileSync(join(folder, 'changes.jsonl'), journal);
    const later = undoWorkspace(new FileChanges({ folder }), root);
    expect((await later.undoTurn()).output).toContain('had been taken back before');
    expect([later.text('a'), later.exists('b')]).toEqual(['a1', false]);
    await later.undoTurn();
    expect(later.exists('a')).toBe(false);
  });

  test('keeps a mode that a person set since', async () => {
    const { write, beginTurn, text, at, files, changes } = undoWorkspace();
    await write('a', 'a1');
    await write('b', 'b1');
    beginTurn();
    await write('a', 'a2');
    await write('b', 'b2');
    chmodSync(at('b'), 0o600);
    const failing = decorateFiles(files, {
      update: async (path, change, scope) => {
        if (path === at('a') && text('b') === 'b1') throw new ToolError('storage_failed', 'Full.');
        return files.update(path, change, scope);
      },
    });
    const undoTurn = undoTurnOver(failing, changes);
    await expect(undoTurn.execute({}, toolContext())).rejects.toThrow('Full.');
    expect([text('b'), statSync(at('b')).mode & 0o777]).toEqual(['b2', 0o600]);
  });

  test('does not change the target of a link that replaced the file', async () => {
    const { write, beginTurn, undoTurn, undoFile, text, at } = undoWorkspace();
    writeFileSync(at('theirs'), 'same');
    beginTurn();
    await write('a', 'same');
    rmSync(at('a'));
    symlinkSync('theirs', at('a'));
    expect(await codeOf(undoTurn())).toBe('file_changed');
    expect(await codeOf(undoFile('a'))).toBe('no_change');
    expect(text('theirs')).toBe('same');
  });

  test('names files that could not be restored', async () => {
    const { write, beginTurn, text, exists, at, files, changes } = undoWorkspace();
    beginTurn();
    for (const name of ['a', 'b', 'c']) await write(name, `${name}1`);
    let isFull = false;
    const full = async () => {
      isFull = true;
      throw new ToolError('storage_failed', 'No space is left.');
    };
    const failing = decorateFiles(files, {
      remove: async (path, scope) => (path === at('a') ? full() : files.remove(path, scope)),
      update: async (path, change, scope) => (isFull && path === at('c') ? full() : files.update(path, change, scope)),
    });
    const undoTurn = undoTurnOver(failing, changes);
    await expect(undoTurn.execute({}, toolContext())).rejects.toThrow(
      `as they were before the turn: ${at('c')}. Read them`,
    );
    expect([text('a'), text('b'), exists('c')]).toEqual(['a1', 'b1', false]);
  });

  test('succeeds if only the record cannot be written', async () => {
    const folder = temporaryFolder();
    const { write, beginTurn, undoTurn, exists } = undoWorkspace(new FileChanges({ folder }));
    beginTurn();
    await write('a', 'a1');
    await write('b', 'b1');
    rmSync(join(folder, 'changes.jsonl'));
    mkdirSync(join(folder, 'changes.jsonl'));
    expect(await codeOf(undoTurn())).toBe('ok');
    expect([exists('a'), exists('b')]).toEqual([false, false]);
    expect(await codeOf(undoTurn())).toBe('no_change');
  });

  describe('undoes nothing of a turn with dropped changes', () => {
    const limits = { maxUndoChanges: 2, maxUndoBytes: 100 };
    const message = /cannot be taken back whole\. Nothing was undone\. It made more changes than are kept on record/;

    const rows: readonly [string, readonly string[]][] = [
      ['as they are', []],
      ['and the next was taken back', ['b']],
      ['and the last was taken back', ['c']],
    ];
    test('unchanged, or with one of the others undone', () =>
      eachRow(rows, async ([, undoneFirst]) => {
        const { write, beginTurn, undoTurn, undoFile, exists } = undoWorkspace(new FileChanges({ limits }));
        beginTurn();
        for (const name of ['a', 'b', 'c']) await write(name, 'x');
        for (const name of undoneFirst) await undoFile(name);
        for (let round = 0; round < 2; round++) await expect(undoTurn()).rejects.toThrow(message);
        const left = ['a', 'b', 'c'].filter((name) => !undoneFirst.includes(name));
        expect(['a', 'b', 'c'].filter(exists)).toEqual(left);
        for (const name of left.slice(1)) await undoFile(name);
        expect(await codeOf(undoTurn())).toBe('no_change');
        beginTurn();
        await write('d', 'x');
        expect(await codeOf(undoTurn())).toBe('ok');
      }));

    test('also if another session displaced them all, and after a restart', async () => {
      const folder = temporaryFolder();
      const { root, write, undoFile, undoTurn, exists, at, tools, beginTurn } = undoWorkspace(
        new FileChanges({ folder, limits }),
      );
      beginTurn();
      await write('a', 'x');
      const other = toolContext({ caller: { sessionId: 'other' } });
      for (const name of ['y', 'z']) await tools.write.execute({ file_path: at(name), content: 'x' }, other);
      for (const name of ['b', 'c']) await write(name, 'x');
      await expect(undoTurn()).rejects.toThrow(message);
      await undoFile('b');
      await undoFile('c');
      await write('d', 'x');
      const later = undoWorkspace(new FileChanges({ folder, limits }), root);
      await expect(later.undoTurn()).rejects.toThrow(message);
      const last = undoWorkspace(new FileChanges({ folder, limits }), root);
      await expect(last.undoTurn()).rejects.toThrow(message);
      expect(['a', 'd'].map(exists)).toEqual([true, true]);
    });
  });
});

describe('files changed by commands', () => {
  const root = '/work';

  function workspace() {
    const files = memoryFiles({ root, files: { [`${root}/old.txt`]: 'old' } });
    // The commands of the test name the files that they change.
    const shell = scriptedShell(({ command }) => {
      for (const name of command.split(' ')) files.set(`${root}/${name}`, command);
      return 'done';
    });
    const globs: string[] = [];
    const watched = decorateFiles(files, {
      // A real one would start a thread.
      glob: async ({ pattern }, scope) => {
        globs.push(pattern);
        const stats = await Promise.all(files.paths().map((path) => files.stat(path, scope)));
        const paths = stats
          .filter((stat) => stat !== undefined)
          .sort((left, right) => right.mtimeMs - left.mtimeMs)
          .map(({ path }) => path);
        return { paths, total: paths.length, timedOut: false };
      },
    });
    const toolkit = createToolkit({
      root,
      hosts: { files: watched, shell },
      permissions: 'bypassPermissions',
      features: { undo: true },
    });
    const turn = async (...calls: readonly (readonly [name: string, input: object])[]) => {
      const { results } = await toolkit.execute(calls.map(([name, input], id) => ({ id: String(id), name, input })));
      return results.at(-1)?.output ?? '';
    };
    const write = (name: string, content = 'new') => ['Write', { file_path: `${root}/${name}`, content }] as const;
    return { files, turn, write, globs };
  }

  test('are named with the undone files, newest first, and stay', async () => {
    const { files, turn, write } = workspace();
    await turn(write('tool.txt'), ['Bash', { command: 'one.txt' }], ['Bash', { command: 'old.txt' }]);
    const said = await turn(['UndoTurn', {}]);
    expect(said).toMatch(/^Removed \/work\/tool\.txt/);
    expect(said).toContain('only changes by tools are recorded');
    expect(said).toContain(`: ${root}/old.txt, ${root}/one.txt.`);
    expect([files.text(`${root}/tool.txt`), files.text(`${root}/old.txt`)]).toEqual([undefined, 'old.txt']);
  });

  test('are named if there is no other record', async () => {
    const { turn } = workspace();
    await turn(['Bash', { command: 'one.txt' }]);
    expect(await turn(['UndoTurn', {}])).toMatch(
      /^Error: There is no further change .*only changes by tools are recorded.*\/work\/one\.txt/s,
    );
  });

  test('are named in spite of an old modification time: a moved file, and one set back', async () => {
    const at = (name: string) => join(folder, name);
    const folder = temporaryFolder();
    writeFileSync(at('stays.txt'), 'stays');
    writeFileSync(at('old.txt'), 'old');
    for (const name of ['stays.txt', 'old.txt']) utimesSync(at(name), 1, 1);
    await expect.poll(() => Date.now() - statSync(at('old.txt')).ctimeMs).toBeGreaterThan(30);
    const shell = scriptedShell(() => {
      // The clock of the file system may be behind.
      for (const now = Date.now(), back = at('back.txt'); !existsSync(back) || statSync(back).ctimeMs < now; ) {
        writeFileSync(back, 'new');
        utimesSync(back, 2, 2);
      }
      renameSync(at('old.txt'), at('moved.txt'));
      return 'done';
    });
    const paths = ['back.txt', 'stays.txt', 'moved.txt'].map(at);
    const glob = async () => ({ paths, total: paths.length, timedOut: false });
    const files = decorateFiles(hostFiles({ root: folder }), { glob });
    const hosts = { files, shell };
    const toolkit = createToolkit({ root: folder, hosts, permissions: 'bypassPermissions', features: { undo: true } });
    await toolkit.call('Bash', { command: 'one' });
    const { output } = await toolkit.call('UndoTurn', {});
    expect(output).toMatch(/only changes by tools are recorded/);
    expect(['back.txt', 'moved.txt', 'stays.txt'].map((name) => output.includes(at(name)))).toEqual([
      true,
      true,
      false,
    ]);
    await toolkit.dispose();
  });

  test('are named up to a limit, and counted', async () => {
    const { turn } = workspace();
    const names = Array.from({ length: 25 }, (_, index) => `${index}.txt`);
    await turn(['Bash', { command: names.join(' ') }]);
    const said = await turn(['UndoTurn', {}]);
    expect(said.match(/\/work\/\d+\.txt/g)).toHaveLength(10);
    expect(said).toContain(', and 15 more.');
  });

  test('do not include files that tools wrote or undid', async () => {
    const { turn, write } = workspace();
    await turn(write('a.txt'), write('b.txt'), ['Bash', { command: 'one.txt' }]);
    await turn(['UndoFile', { file_path: `${root}/b.txt` }]);
    expect(await turn(['UndoTurn', {}])).toContain(`: ${root}/one.txt.`);
  });

  test('are not searched for if no command ran since the turn began', async () => {
    const { turn, write, globs } = workspace();
    await turn(['Bash', { command: 'one.txt' }]);
    await turn(write('a.txt'));
    expect(await turn(['UndoTurn', {}])).not.toContain('only changes by tools are recorded');
    expect(globs).toEqual([]);
  });
});
