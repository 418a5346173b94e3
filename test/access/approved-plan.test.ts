import { expect, test } from 'vitest';
import { createPermissions, type Permissions, ToolRegistry } from '../../src/core.js';
import { runCalls } from '../../src/pipeline/execute-tools.js';
import { resolveSettings } from '../../src/pipeline/run/settings.js';
import { calls, tool } from '../support/pipeline.js';

const act = tool('Act', () => 'acted', { sideEffect: 'mutating' });
const codes = async (permissions: Permissions, planned = act) => {
  const registry = new ToolRegistry().register(planned);
  const settings = { ...resolveSettings({ registry, permissions }), isApproved: true };
  const turn = calls(planned.name).map((call) => ({ call }));
  const ended = await runCalls(turn, settings, {});
  return ended.calls.map(({ result }) => (result?.ok === false ? result.error.code : 'ok'));
};

test('approving the plan was the consent', async () => {
  expect(await codes(createPermissions())).toEqual(['ok']);
});

test('deny and ask rules still hold', async () => {
  expect(await codes(createPermissions({ deny: ['Act'] }))).toEqual(['permission_denied']);
  expect(await codes(createPermissions({ ask: ['Act'] }))).toEqual(['permission_denied']);
});

test('permissions of the host are asked as always', async () => {
  expect(await codes({ check: async () => ({ behavior: 'deny', message: 'no' }) })).toEqual(['permission_denied']);
});

test.each([
  ['allow', 'ok'],
  ['ask', 'ok'],
  ['deny', 'permission_denied'],
] as const)('a host that says %s of a command has its no', async (verdict, code) => {
  const command = tool('Run', () => 'ran', {
    sideEffect: 'mutating',
    targets: () => [{ kind: 'command', command: 'make' }],
  });
  expect(await codes(createPermissions({ checkCommand: () => verdict }), command)).toEqual([code]);
});

test('mode dontAsk refuses what no rule allows', async () => {
  expect(await codes(createPermissions({ mode: 'dontAsk' }))).toEqual(['permission_denied']);
});
