import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Caller, ToolEvent, ToolkitOptions } from '../../src/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

function announced(options: Partial<ToolkitOptions> = {}) {
  const root = temporaryFolder();
  const heard: ToolEvent[] = [];
  const callers: (Caller | undefined)[] = [];
  const onEvent = (event: ToolEvent, caller?: Caller) => {
    heard.push(event);
    if (event.type === 'files-changed') callers.push(caller);
  };
  const toolkit = testToolkit({ root, permissions: 'bypassPermissions', onEvent, ...options });
  const call = (name: string, input: object) => toolkit.call(name, input, { caller: { sessionId: 's' } });
  const changed = () => heard.flatMap((event) => (event.type === 'files-changed' ? event.paths : []));
  return { root, heard, callers, call, changed, at: (name: string) => join(root, name) };
}

test('each change of a file by a tool is reported, without undo, during the call and with its caller', async () => {
  const { heard, callers, call, at } = announced();
  await call('Write', { file_path: at('a.txt'), content: 'one' });
  await call('Edit', { file_path: at('a.txt'), old_string: 'one', new_string: 'two' });
  const told = heard.filter(({ type }) => ['tool-start', 'files-changed', 'tool-end'].includes(type));
  expect(told.map(({ type }) => type)).toEqual([
    ...['tool-start', 'files-changed', 'tool-end'],
    ...['tool-start', 'files-changed', 'tool-end'],
  ]);
  expect(told[1]).toEqual({ type: 'files-changed', paths: [at('a.txt')] });
  expect(callers).toEqual([{ sessionId: 's' }, { sessionId: 's' }]);
});

test('a patch reports each file that it writes, moves and removes', async () => {
  const { call, changed, at } = announced({ features: { applyPatch: true } });
  writeFileSync(at('gone.txt'), 'x\n');
  writeFileSync(at('old.txt'), 'x\n');
  const patch = [
    '*** Begin Patch',
    ...['*** Add File: new.txt', '+x', '*** Delete File: gone.txt'],
    ...['*** Update File: old.txt', '*** Move to: moved.txt', '@@', '-x', '+y'],
    '*** End Patch',
  ].join('\n');
  for (const name of ['gone.txt', 'old.txt']) await call('Read', { file_path: at(name) });
  expect(await call('ApplyPatch', { patch })).toMatchObject({ ok: true });
  expect([...changed()].sort()).toEqual(['gone.txt', 'moved.txt', 'new.txt', 'old.txt'].map(at));
});

test('undone changes are reported too', async () => {
  const { call, changed, at } = announced({ features: { undo: true } });
  await call('Write', { file_path: at('a.txt'), content: 'one' });
  expect(await call('UndoFile', { file_path: at('a.txt') })).toMatchObject({ ok: true });
  expect(changed()).toEqual([at('a.txt'), at('a.txt')]);
});

test('calls without changes report nothing', async () => {
  const { call, changed, at } = announced();
  writeFileSync(at('a.txt'), 'one');
  await call('Read', { file_path: at('a.txt') });
  await call('Edit', { file_path: at('a.txt'), old_string: 'absent', new_string: 'two' });
  await call('Write', { file_path: '/nowhere/a.txt', content: 'x' });
  expect(changed()).toEqual([]);
  expect(readFileSync(at('a.txt'), 'utf8')).toBe('one');
});
