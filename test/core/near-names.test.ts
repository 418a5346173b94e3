import fc from 'fast-check';
import { expect, test } from 'vitest';
import { didYouMean, nearNames } from '../../src/core/support/near-names.js';
import { table } from '../support/each-row.js';

const names = ['Read', 'Write', 'Edit', 'WebFetch', 'WebSearch', 'TodoWrite', 'Bash'];

table([
  ['read', ['Read']],
  ['Raed', ['Read']],
  ['web_fetch', ['WebFetch']],
  ['Wirte', ['Write']],
  ['Edti', ['Edit']],
  ['ReadFile', ['Read']],
  ['file_read', ['Read']],
  ['web', ['WebFetch', 'WebSearch']],
  ['Reader', ['Read']],
  ['Zebra', []],
  ['x', []],
  ['', []],
  ['W'.repeat(101), []],
])('similar names are found', (name, wanted) => expect(nearNames(name, names)).toEqual(wanted));

test('the sentence', () => {
  expect(didYouMean('Edt', names)).toBe(' Did you mean "Edit"?');
  expect(didYouMean('Zebra', names)).toBe('');
});

test('a single typing error is always found', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.nat(), fc.constantFrom('drop', 'double', 'swap'), (name, at, slip) => {
      const index = at % (name.length - 1);
      const slipped =
        slip === 'drop'
          ? name.slice(0, index) + name.slice(index + 1)
          : slip === 'double'
            ? name.slice(0, index) + name[index] + name.slice(index)
            : name.slice(0, index) + name[index + 1] + name[index] + name.slice(index + 2);
      expect(nearNames(slipped, names)).toContain(name);
    }),
  );
});
