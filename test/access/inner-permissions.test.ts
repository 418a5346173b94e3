import { expect, test } from 'vitest';
import { InnerPermissions } from '../../src/access/inner-permissions.js';
import { accessNumbers } from '../../src/core/limits.js';
import { createPermissions, type Permissions } from '../../src/core.js';

const hiding = (path: string): Permissions => ({
  check: async () => ({ behavior: 'allow' }),
  hidesPath: (asked) => asked === path,
});

test('what any of them hides is hidden', () => {
  const inner = new InnerPermissions();
  for (const path of ['/a', '/b', '/a']) inner.add(hiding(path));
  inner.add({ check: async () => ({ behavior: 'allow' }) });
  expect(['/a', '/b', '/c'].map((path) => inner.hidesPath(path, '/', 'everything'))).toEqual([true, true, false]);
});

test('those that were asked longest ago are forgotten first', () => {
  const inner = new InnerPermissions();
  const first = hiding('/first');
  const { maxInnerPermissions } = accessNumbers;
  inner.add(first);
  inner.add(hiding('/second'));
  for (let index = 2; index < maxInnerPermissions; index++) inner.add(hiding(`/${index}`));
  inner.add(first);
  inner.add(hiding('/one-more'));
  expect(inner.all).toHaveLength(maxInnerPermissions);
  expect(['/first', '/second', '/one-more'].map((path) => inner.hidesPath(path, '/', 'everything'))).toEqual([true, false, true]);
});

test('plan mode ends for those that can leave it', () => {
  const inner = new InnerPermissions();
  const planning = createPermissions({ mode: 'plan' });
  const other = createPermissions({ mode: 'acceptEdits' });
  for (const each of [planning, other]) inner.add(each);
  expect(inner.isPlanning).toBe(true);
  inner.endPlan();
  expect([inner.isPlanning, planning.mode, other.mode]).toEqual([false, 'default', 'acceptEdits']);
  inner.add({ check: async () => ({ behavior: 'allow' }), mode: 'plan' });
  inner.endPlan();
  expect(inner.isPlanning).toBe(true);
});
