import { memoryFiles } from 'toolwright/testing';
import { FileChanges, trackFiles } from 'toolwright/tools';
import { expect, test } from 'vitest';
import { undoChange } from '../../src/files/undo/revert-change.js';
import { toolContext } from '../support/call-scope.js';

function changedFile() {
  const changes = new FileChanges();
  const files = memoryFiles({ files: { a: 'one two three' } });
  const context = toolContext();
  const change = async () => {
    await trackFiles(files, changes).update('/workspace/a', () => ({ slices: [Buffer.from('one 2 three')] }), context);
    const last = changes.lastOf(context.caller, '/workspace/a');
    if (last === undefined) throw new Error('nothing was recorded');
    return last;
  };
  return { files, context, change };
}

test('the original bytes are restored', async () => {
  const { files, context, change } = changedFile();
  const undone = await undoChange(files, await change(), context);
  expect(files.text('a')).toBe('one two three');
  expect(undone.before.toString()).toBe('one 2 three');
  expect(undone.after.toString()).toBe('one two three');
});

test('a file that was removed since is not created again', async () => {
  const { files, context, change } = changedFile();
  const made = await change();
  await files.remove('/workspace/a', context);
  await expect(undoChange(files, made, context)).rejects.toMatchObject({ code: 'file_changed' });
  expect(files.paths()).toEqual([]);
});
