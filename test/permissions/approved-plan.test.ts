import { expect, test } from 'vitest';
import { runCalls } from '../../src/call/execute-tools.js';
import { resolveSettings } from '../../src/call/run-options.js';
import { createPermissions, type Permissions, ToolRegistry } from '../../src/core.js';
import { table } from '../support/each-row.js';
import { calls, tool } from '../support/pipeline.js';

const act = tool('Act', () => 'acted', { sideEffect: 'mutating' });
const codes = async (permissions: Permissions, planned = act) => {
  const registry = new ToolRegistry().register(planned);
  const settings = { ...resolveSettings({ registry, permissions }), isApproved: true };
  const turn = calls(planned.name).map((call) => ({ call }));
  const ended = await runCalls(turn, settings, {});
  return ended.calls.map(({ result }) => (result?.ok === false ? result.error.code : 'ok'));
};

test('an approved plan runs without questions, but deny and ask rules and permissions of the host apply', async () => {
  expect(await codes(createPermissions())).toEqual(['ok']);
  const no: Permissions = { check: async () => ({ behavior: 'deny', message: 'no' }) };
  for (const permissions of [createPermissions({ deny: ['Act'] }), createPermissions({ ask: ['Act'] }), no])
    expect(await codes(permissions)).toEqual(['permission_denied']);
});

table([
  ['allow', 'ok'],
  ['ask', 'ok'],
  ['deny', 'permission_denied'],
] as const)('a denial by checkCommand of the host denies, without a further question', async (verdict, code) => {
  const command = tool('Run', () => 'ran', {
    sideEffect: 'mutating',
    targets: () => [{ kind: 'command', command: 'make' }],
  });
  expect(await codes(createPermissions({ checkCommand: () => verdict }), command)).toEqual([code]);
});

test('mode dontAsk denies calls that no rule allows', async () => {
  expect(await codes(createPermissions({ mode: 'dontAsk' }))).toEqual(['permission_denied']);
});
