import { expect, test } from 'vitest';
import { InnerPermissions } from '../../src/access/inner-permissions.js';
import { accessNumbers } from '../../src/core/numbers.js';
import { createPermissions, type Permissions } from '../../src/core.js';

const { maxInnerPermissions } = accessNumbers;
const allow: Permissions['check'] = async () => ({ behavior: 'allow' });
const hiding = (path: string): Permissions => ({ check: allow, hidesPath: (asked) => asked === path });
const hidden = (inner: InnerPermissions, paths: readonly string[]) =>
  paths.map((path) => inner.hidesPath(path, '/', 'everything'));

/** A turn in which these are asked. */
function turn(inner: InnerPermissions, sessionId: string, asked: readonly Permissions[]): void {
  const begun = inner.begin(sessionId);
  for (const each of asked) begun.introduce(each);
  inner.end(begun);
}

test('what any of them hides is hidden', () => {
  const inner = new InnerPermissions();
  turn(inner, 'first', [hiding('/a'), hiding('/a'), { check: allow }]);
  turn(inner, 'second', [hiding('/b')]);
  expect(hidden(inner, ['/a', '/b', '/c'])).toEqual([true, true, false]);
});

test('of one session, those that were asked longest ago are forgotten first', () => {
  const inner = new InnerPermissions();
  const first = hiding('/first');
  turn(inner, 's', [first]);
  turn(inner, 's', [hiding('/second')]);
  for (let index = 2; index < maxInnerPermissions; index++) turn(inner, 's', [hiding(`/${index}`)]);
  turn(inner, 's', [first]);
  turn(inner, 's', [hiding('/one-more')]);
  expect(hidden(inner, ['/first', '/second', '/2', '/one-more'])).toEqual([true, false, true, true]);
});

test('of all sessions, the one that began a turn longest ago is forgotten first', () => {
  const inner = new InnerPermissions();
  for (const sessionId of ['first', 'second']) turn(inner, sessionId, [hiding(`/${sessionId}`)]);
  for (let index = 2; index < maxInnerPermissions; index++) turn(inner, `${index}`, [hiding(`/${index}`)]);
  turn(inner, 'first', []);
  turn(inner, 'one-more', [hiding('/one-more')]);
  expect(hidden(inner, ['/first', '/second', '/2', '/one-more'])).toEqual([true, false, true, true]);
});

test('nothing that a turn introduced is forgotten before it ends', () => {
  const inner = new InnerPermissions();
  const running = inner.begin('running');
  running.introduce(hiding('/running'));
  for (let index = 0; index < 2 * maxInnerPermissions; index++) {
    turn(inner, 'running', [hiding(`/same/${index}`)]);
    turn(inner, `${index}`, [hiding(`/other/${index}`)]);
  }
  expect(hidden(inner, ['/running', '/same/0', '/other/0'])).toEqual([true, false, false]);
  inner.end(running);
  inner.end(running);
  for (let index = 0; index < maxInnerPermissions; index++) turn(inner, `again ${index}`, [hiding(`/again/${index}`)]);
  expect(hidden(inner, ['/running'])).toEqual([false]);
});

test('nothing that a session knew when its turn began is forgotten before it ends', () => {
  const inner = new InnerPermissions();
  turn(inner, 'running', [hiding('/running')]);
  const running = inner.begin('running');
  for (let index = 0; index < 2 * maxInnerPermissions; index++) turn(inner, `${index}`, [hiding(`/${index}`)]);
  expect(hidden(inner, ['/running', '/0'])).toEqual([true, false]);
  inner.end(running);
});

test('turns of one session that overlap without end do not pile up what they asked', () => {
  const inner = new InnerPermissions();
  let current = inner.begin('s');
  for (let index = 0; index < 3 * maxInnerPermissions; index++) {
    current.introduce(hiding(`/${index}`));
    const next = inner.begin('s');
    inner.end(current);
    current = next;
  }
  const known = Array.from({ length: 3 * maxInnerPermissions }, (_, index) => `/${index}`);
  expect(hidden(inner, known).filter(Boolean)).toHaveLength(maxInnerPermissions);
});

test('what is introduced after the end of its turn is not kept', () => {
  const inner = new InnerPermissions();
  const ended = inner.begin('s');
  inner.end(ended);
  ended.introduce(hiding('/late'));
  expect(hidden(inner, ['/late'])).toEqual([false]);
});

test('plan mode is on, and ends, for the session that asked and for those that can leave it', () => {
  const inner = new InnerPermissions();
  const planning = createPermissions({ mode: 'plan' });
  const other = createPermissions({ mode: 'acceptEdits' });
  turn(inner, 'a', [planning, other]);
  turn(inner, 'b', [other]);
  expect([inner.isPlanning('a'), inner.isPlanning('b'), inner.isPlanning('c')]).toEqual([true, false, false]);
  inner.endPlan('b');
  expect(planning.mode).toBe('plan');
  inner.endPlan('a');
  expect([inner.isPlanning('a'), planning.mode, other.mode]).toEqual([false, 'default', 'acceptEdits']);
  turn(inner, 'a', [{ check: allow, mode: 'plan' }]);
  inner.endPlan('a');
  expect(inner.isPlanning('a')).toBe(true);
});
