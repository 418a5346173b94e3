import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { toolContext } from '../support/call-scope.js';
import { codeOf, undoWorkspace } from '../support/undo-workspace.js';

describe('UndoFile', () => {
  test('goes back change by change, bytes and mode, to no file at all', async () => {
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

  test('gives a removed file back', async () => {
    const { tracked, undoFile, text, at } = undoWorkspace();
    writeFileSync(at('a'), 'x', { mode: 0o600 });
    await tracked.remove(at('a'), toolContext());
    await undoFile('a');
    expect(text('a')).toBe('x');
    expect(statSync(at('a')).mode & 0o777).toBe(0o600);
  });

  test('refuses when the file has changed since, and leaves it', async () => {
    const { write, undoFile, text, at } = undoWorkspace();
    await write('a', 'one');
    writeFileSync(at('a'), 'theirs');
    expect(await codeOf(undoFile('a'))).toBe('file_changed');
    expect(text('a')).toBe('theirs');
  });

  test('knows only the changes of its own session', async () => {
    const { write, undoFile } = undoWorkspace();
    await write('a', 'one');
    expect(await codeOf(undoFile('a', 's2'))).toBe('no_change');
  });

  test('leaves an edit after it fresh', async () => {
    const { write, edit, undoFile } = undoWorkspace();
    await write('a', 'one');
    await write('a', 'two');
    await undoFile('a');
    expect((await edit('a', 'one', '1')).metadata).toMatchObject({ stale: false });
  });
});
