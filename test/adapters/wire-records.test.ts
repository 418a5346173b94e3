import { describe, expect, test } from 'vitest';
import { recordsOf, wireCall } from '../../src/adapters/wire-records.js';
import { isRecord } from '../../src/core/support/is-record.js';
import { eachRow } from '../support/each-row.js';

const records = [
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  [undefined, false],
  ['text', false],
] as const;
test('a record is an object that is no list', () =>
  eachRow(records, ([value, expected]) => expect(isRecord(value)).toBe(expected)));

test('the records of a list keep their order and lose everything else', () => {
  expect(recordsOf([{ a: 1 }, null, 7, 'x', [], { b: 2 }])).toEqual([{ a: 1 }, { b: 2 }]);
  expect(recordsOf({ length: 1, 0: {} })).toEqual([]);
});

describe('a call from wire fields', () => {
  test('keeps what it is given', () =>
    expect(wireCall('a', 'Read', { x: 1 }, 0)).toEqual({ id: 'a', name: 'Read', input: { x: 1 } }));

  test('gets an id by its place where it has none', () =>
    eachRow([undefined, null, '', 7], (id) => expect(wireCall(id, 'Read', {}, 2).id).toBe('call_3')));

  test('is unnamed where its name is no text', () =>
    eachRow([[['Read']], [''], [undefined]], ([name]) => expect(wireCall('a', name, {}, 0).name).toBe('unnamed')));
});
