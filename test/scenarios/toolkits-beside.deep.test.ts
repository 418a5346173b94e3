import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createToolkit } from 'toolwright';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';

test('simultaneous edits of one file by several toolkits are all applied', async () => {
  const root = temporaryFolder();
  const path = join(root, 'a.txt');
  const [toolkits, edits] = [4, 30];
  const name = (toolkit: number, edit: number) => `place ${toolkit}.${edit};`;
  const places = Array.from({ length: toolkits }, (_, toolkit) =>
    Array.from({ length: edits }, (__, edit) => name(toolkit, edit)),
  ).flat();
  writeFileSync(path, `${places.join('\n')}\n`);
  const turns = await Promise.all(
    Array.from({ length: toolkits }, async (_, number) => {
      await using toolkit = createToolkit({ root, permissions: 'bypassPermissions' });
      const calls = Array.from({ length: edits }, (__, edit) => {
        const old = name(number, edit);
        return {
          id: `call_${edit}`,
          name: 'Edit',
          input: { file_path: path, old_string: old, new_string: `new ${old}` },
        };
      });
      return await toolkit.execute(calls);
    }),
  );
  expect(turns.flatMap(({ results }) => results.filter(({ ok }) => !ok).map(({ output }) => output))).toEqual([]);
  expect(readFileSync(path, 'utf8')).toBe(`${places.map((place) => `new ${place}`).join('\n')}\n`);
});
