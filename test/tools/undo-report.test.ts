import { expect, test } from 'vitest';
import { describeUndone } from '../../src/tools/files/undo.js';

const change = {
  id: 1,
  sessionId: 's',
  turn: 1,
  callId: 'c',
  path: '/a',
  operation: 'update',
  span: { offset: 0, removed: Buffer.of(), inserted: Buffer.of() },
  hashBefore: 'x',
  hashAfter: 'y',
  modeBefore: 0o644,
  at: '2026-01-01T00:00:00.000Z',
} as const;
const stat = { path: '/a', kind: 'file', size: 0, mtimeMs: 0, mode: 0o644, version: 'v' } as const;
const update = { path: '/a', created: false, method: 'replaced', stat } as const;

test('a restored text is shown as a diff', () => {
  const { text } = describeUndone({ change, update, before: Buffer.from('new\n'), after: Buffer.from('old\n') }, 50);
  expect(text).toBe('Restored /a (change of call c).\n@@ -1 +1 @@\n-new\n+old');
});

test('a created file is reported as removed, and binary content is not shown', () => {
  const nothing = Buffer.alloc(0);
  expect(describeUndone({ change, update: undefined, before: Buffer.from('new'), after: nothing }, 50).text).toBe(
    'Removed /a, which did not exist before (change of call c).',
  );
  expect(describeUndone({ change, update, before: Buffer.from([0, 1, 0]), after: nothing }, 50).diff).toBe('');
});
