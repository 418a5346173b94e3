import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createPermissions } from '../../src/index.js';
import { calls, tool } from '../support/pipeline.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

/** A tool of a program; its name is one letter away from the built-in tool Write. */
const wrote = () => tool('Wrote', () => 'ran');

test('a rule may name a tool of any toolkit that shares the permissions', () => {
  const permissions = createPermissions();
  const first = testToolkit({ permissions });
  const second = testToolkit({ permissions });
  expect(() => permissions.addRules({ deny: ['Wrote'] })).toThrow('Did you mean "Write"?');
  first.registry.register(wrote());
  permissions.addRules({ deny: ['Wrote'] });
  expect(() => testToolkit({ permissions })).not.toThrow();
  second.registry.register(tool('Deploy', () => 'ran'));
  expect(() => permissions.addRules({ deny: ['Depoly'] })).toThrow('Did you mean "Deploy"?');
});

test('no toolkit warns about a rule for a tool of another toolkit', async () => {
  const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  onTestFinished(() => emitted.mockRestore());
  const permissions = createPermissions();
  const toolkits = [testToolkit({ permissions }), testToolkit({ permissions })];
  toolkits[0]?.registry.register(wrote());
  permissions.addRules({ deny: ['Wrote'], ask: ['Launch'] });
  for (const toolkit of toolkits) await toolkit.execute(calls(['TodoWrite', { todos: [] }]));
  const unmatched = ['Launch: This ask rule matches no tool.', { code: 'TOOLWRIGHT_RULE' }];
  expect(emitted.mock.calls).toEqual([unmatched, unmatched]);
});

test('an added folder belongs to the workspace of every toolkit that shares the permissions', async () => {
  const [opened, other] = [temporaryFolder(), temporaryFolder()];
  const file = join(other, 'b.txt');
  writeFileSync(file, 'other\n');
  const permissions = createPermissions();
  const toolkit = testToolkit({ permissions });
  const toolkits = [toolkit.openIn(opened), toolkit, testToolkit({ permissions })];
  permissions.addDirectories([other]);
  for (const one of toolkits) expect(await one.call('Read', { file_path: file })).toMatchObject({ ok: true });
  expect(await testToolkit({ permissions }).call('Read', { file_path: file })).toMatchObject({ ok: true });
});
