import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits } from 'toolwright';
import { FileChanges } from 'toolwright/tools';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { codeOf, undoWorkspace } from '../support/undo-workspace.js';

describe('the undo record', () => {
  test('in a folder survives the process, is private, and ignores a cut line', async () => {
    const folder = join(temporaryFolder(), 'undo');
    const first = undoWorkspace(new FileChanges({ folder }));
    await first.write('a', 'one');
    await first.write('a', 'two');
    await first.undoFile('a');
    const journal = join(folder, 'changes.jsonl');
    expect(statSync(journal).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    writeFileSync(journal, `${readFileSync(journal, 'utf8')}{"id":99,"path":"/x","spa`);
    const second = undoWorkspace(new FileChanges({ folder }), first.root);
    await second.undoFile('a');
    expect(second.exists('a')).toBe(false);
  });

  test('drops the oldest changes beyond its limits', async () => {
    const { write, undoFile, text } = undoWorkspace(
      new FileChanges({ limits: { ...defaultLimits.write, maxUndoChanges: 2 } }),
    );
    for (const content of ['one', 'two', 'three']) await write('a', content);
    await undoFile('a');
    await undoFile('a');
    expect(text('a')).toBe('one');
    expect(await codeOf(undoFile('a'))).toBe('no_change');
    const small = undoWorkspace(new FileChanges({ limits: { ...defaultLimits.write, maxUndoBytes: 10 } }));
    await small.write('b', 'x');
    await small.write('a', 'x'.repeat(20));
    await expect(small.undoFile('a')).rejects.toThrow('its bytes were too large to record');
    await small.undoFile('b');
    expect(small.exists('b')).toBe(false);
  });

  test('drops the oldest changes beyond its bytes, and remembers after a restart which one was too large', async () => {
    const folder = join(temporaryFolder(), 'undo');
    const limits = { maxUndoChanges: 9, maxUndoBytes: 30 };
    const first = undoWorkspace(new FileChanges({ folder, limits }));
    for (const name of ['a', 'b', 'c']) await first.write(name, name.repeat(name === 'c' ? 40 : 20));
    const second = undoWorkspace(new FileChanges({ folder, limits }), first.root);
    expect(await codeOf(second.undoFile('a'))).toBe('no_change');
    expect(await codeOf(second.undoFile('b'))).toBe('ok');
    expect(await codeOf(second.undoFile('c'))).toBe('limit_reached');
    expect(['a', 'b', 'c'].map(second.exists)).toEqual([true, false, true]);
  });

  test('keeps its file within its limits, also if changes are undone at once', async () => {
    const folder = join(temporaryFolder(), 'undo');
    const limits = { maxUndoChanges: 9, maxUndoBytes: 30_000 };
    const { write, undoFile, root } = undoWorkspace(new FileChanges({ folder, limits }));
    await write('kept', 'k');
    for (let round = 0; round < 20; round++) {
      await write('a', `${round}`.padEnd(20_000));
      await undoFile('a');
      expect(statSync(join(folder, 'changes.jsonl')).size).toBeLessThan(4 * limits.maxUndoBytes);
    }
    const later = undoWorkspace(new FileChanges({ folder, limits }), root);
    expect(await codeOf(later.undoFile('kept'))).toBe('ok');
  });
});
