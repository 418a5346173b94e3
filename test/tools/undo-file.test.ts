import { chmodSync, linkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileChanges } from 'toolwright/tools';
import { describe, expect, test } from 'vitest';
import { toolContext } from '../support/call-scope.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { codeOf, undoWorkspace } from '../support/undo-workspace.js';

describe('UndoFile', () => {
  test('undoes change by change, bytes and mode, until the file does not exist', async () => {
    const { write, edit, undoFile, text, exists, at } = undoWorkspace();
    await write('a', 'one\r\ntwo');
    chmodSync(at('a'), 0o640);
    await edit('a', 'two', '2');
    await write('a', 'other');
    const { output } = await undoFile('a');
    expect(output).toContain(`Restored ${at('a')} (change of call w).`);
    expect(text('a')).toBe('one\r\n2');
    await undoFile('a');
    expect(text('a')).toBe('one\r\ntwo');
    expect(statSync(at('a')).mode & 0o777).toBe(0o640);
    await undoFile('a');
    expect(exists('a')).toBe(false);
    expect(await codeOf(undoFile('a'))).toBe('no_change');
  });

  test('removes folders that were created for a new file, if they are empty', async () => {
    const { write, undoFile, exists, at } = undoWorkspace();
    await write('there/a', 'x');
    await write('deep/er/still/b', 'x');
    await write('there/new/c', 'x');
    await undoFile('deep/er/still/b');
    expect(exists('deep')).toBe(false);
    await undoFile('there/new/c');
    expect([exists('there/new'), exists('there/a')]).toEqual([false, true]);
    await write('x/y/d', 'x');
    writeFileSync(at('x/theirs'), '');
    await undoFile('x/y/d');
    expect([exists('x/y'), exists('x/theirs')]).toEqual([false, true]);
  });

  test('remembers these folders after a restart', async () => {
    const folder = temporaryFolder();
    const first = undoWorkspace(new FileChanges({ folder }));
    await first.write('p/q/a', 'x');
    const second = undoWorkspace(new FileChanges({ folder }), first.root);
    await second.undoFile('p/q/a');
    expect(second.exists('p')).toBe(false);
  });

  test('restores a removed file', async () => {
    const { tracked, undoFile, text, at } = undoWorkspace();
    writeFileSync(at('a'), 'x', { mode: 0o600 });
    await tracked.remove(at('a'), toolContext());
    await undoFile('a');
    expect(text('a')).toBe('x');
    expect(statSync(at('a')).mode & 0o777).toBe(0o600);
  });

  test('restores a file with a hard link outside without showing its content', async () => {
    const { write, undoFile, text, at } = undoWorkspace();
    const outside = join(temporaryFolder(), 'theirs');
    writeFileSync(outside, 'private words');
    linkSync(outside, at('a'));
    await write('a', 'x');
    const undone = await undoFile('a');
    expect(JSON.stringify(undone)).not.toContain('private words');
    expect(text('a')).toBe('private words');
  });

  test('keeps a mode that was set since', async () => {
    const { write, edit, undoFile, text, at } = undoWorkspace();
    writeFileSync(at('a'), 'one', { mode: 0o644 });
    await write('a', 'two');
    await edit('a', 'two', 'three');
    chmodSync(at('a'), 0o600);
    await undoFile('a');
    await undoFile('a');
    expect(text('a')).toBe('one');
    expect(statSync(at('a')).mode & 0o777).toBe(0o600);
  });

  test('refuses without a change if the file has changed since', async () => {
    const { write, undoFile, text, at } = undoWorkspace();
    await write('a', 'one');
    writeFileSync(at('a'), 'theirs');
    expect(await codeOf(undoFile('a'))).toBe('file_changed');
    expect(text('a')).toBe('theirs');
  });

  test('undoes only changes of its own session', async () => {
    const { write, undoFile } = undoWorkspace();
    await write('a', 'one');
    expect(await codeOf(undoFile('a', 's2'))).toBe('no_change');
  });

  test('does not make a later edit stale', async () => {
    const { write, edit, undoFile } = undoWorkspace();
    await write('a', 'one');
    await write('a', 'two');
    await undoFile('a');
    expect((await edit('a', 'one', '1')).metadata).toMatchObject({ stale: false });
  });
});
