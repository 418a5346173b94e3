import { scrubCredentials } from 'toolwright';
import { expect, test } from 'vitest';
import { eachRow } from '../support/each-row.js';
import { alikeUnits } from './scrubber-texts.js';

test('a text of 1.5 MB that is endlessly alike is scrubbed', () =>
  eachRow(alikeUnits, (unit) => {
    // A time that grows with the square of this size is longer than a test may take.
    expect(scrubCredentials(unit.repeat(Math.ceil(1_500_000 / unit.length)))).not.toMatch(/withheld/);
  }));
