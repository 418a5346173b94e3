import { expect, test } from 'vitest';
import { approvedPlan } from '../../src/access/approved-plan.js';
import { createPermissions } from '../../src/core.js';
import { calls, run, tool } from '../support/pipeline.js';

const act = tool('Act', () => 'acted', { sideEffect: 'mutating' });
const codes = async (permissions: Parameters<typeof approvedPlan>[0]) => {
  const { results } = await run([act], calls('Act'), { permissions: approvedPlan(permissions) });
  return results.map((result) => (result.ok ? 'ok' : result.error.code));
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
  const permissions = approvedPlan(createPermissions({ checkCommand: () => verdict }));
  const { results } = await run([command], calls('Run'), { permissions });
  expect(results.map((result) => (result.ok ? 'ok' : result.error.code))).toEqual([code]);
});

test('mode dontAsk refuses what no rule allows', async () => {
  expect(await codes(createPermissions({ mode: 'dontAsk' }))).toEqual(['permission_denied']);
});
