import { ToolError } from 'toolwright';
import { memoryFiles } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { currentBytes, notAsRead, refuseBrokenText, writeNotes } from '../../src/tools/content/file-change-steps.js';
import { callScope } from '../support/call-scope.js';

const stat = { path: '/workspace/a', kind: 'file', size: 3, mtimeMs: 0, mode: 0o644, version: 'v' } as const;
const current = { stat, bytes: async () => Buffer.from('abc') };

test('returns the bytes of a file below the limit', async () => {
  const files = memoryFiles();
  expect((await currentBytes(current, '/workspace/a', files, 3, callScope())).toString()).toBe('abc');
  await expect(currentBytes(current, '/workspace/a', files, 2, callScope())).rejects.toMatchObject({
    code: 'file_too_large',
  });
});

test('handles a missing and a newly created file', async () => {
  const files = memoryFiles({ files: { near: 'x' } });
  const missing = currentBytes(undefined, '/workspace/nea', files, 9, callScope());
  await expect(missing).rejects.toMatchObject({
    code: 'file_not_found',
    message: expect.stringContaining('/workspace/near'),
  });
  await expect(currentBytes(undefined, '/workspace/near', files, 9, callScope())).rejects.toMatchObject({
    code: 'file_changed',
  });
});

test('only a detached file gives a note', () => {
  const update = { path: '/a', created: false, stat } as const;
  expect(writeNotes({ ...update, method: 'replaced' }, '/a')).toEqual([]);
  expect(writeNotes({ ...update, method: 'overwritten' }, '/a')).toEqual([]);
  expect(writeNotes({ ...update, method: 'detached' }, '/a')).toHaveLength(1);
});

test('a lone surrogate is refused, and the error names its field', () => {
  expect(() => refuseBrokenText('a\u{1f44d}', 'content')).not.toThrow();
  expect(() => refuseBrokenText('a\ud83d', 'content')).toThrow(/^content/);
});

test('unread and changed files are distinguished', () => {
  expect(notAsRead('/a', 'unseen').message).toContain('has not read');
  expect(notAsRead('/a', 'stale').message).toContain('has changed');
  expect(ToolError.is(notAsRead('/a', 'stale'))).toBe(true);
});
