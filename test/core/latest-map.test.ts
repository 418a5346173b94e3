import { expect, test } from 'vitest';
import { LatestMap } from '../../src/core/support/latest-map.js';

test('the oldest entries are dropped; setting a key makes it the newest, reading does not', () => {
  const dropped: unknown[] = [];
  const map = new LatestMap<string, number>(2, { onDrop: (key, value) => dropped.push([key, value]) });
  map.set('a', 1).set('b', 2).set('a', 3);
  expect(map.get('b')).toBe(2);
  map.set('c', 4);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
  expect(dropped).toEqual([['b', 2]]);
});

test('entries count by weight, also after replacing, deleting and clearing', () => {
  const map = new LatestMap<string, string>(4, { weigh: (text) => text.length });
  map.set('a', 'xx').set('b', 'xx').set('a', 'x').set('c', 'x');
  expect([...map.keys()]).toEqual(['b', 'a', 'c']);
  map.set('d', 'x');
  expect([...map.keys()]).toEqual(['a', 'c', 'd']);
  map.delete('a');
  map.set('e', 'xx');
  expect([...map.keys()]).toEqual(['c', 'd', 'e']);
  map.set('f', 'xxxxx');
  expect(map.size).toBe(0);
  map.set('g', 'xxxx').clear();
  map.set('h', 'xxxx');
  expect([...map.keys()]).toEqual(['h']);
});
