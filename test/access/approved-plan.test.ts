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
