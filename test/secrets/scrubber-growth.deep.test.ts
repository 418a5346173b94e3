import { scrubCredentials } from 'toolwright';
import { expect, test } from 'vitest';
import { eachRow } from '../support/each-row.js';
import { alikeUnits } from './scrubber-texts.js';

test('a repetitive text of 1.5 MB is scrubbed in time', () =>
  eachRow(alikeUnits, (unit) => {
    // Quadratic time would exceed the time limit of the test.
    expect(scrubCredentials(unit.repeat(Math.ceil(1_500_000 / unit.length)))).not.toMatch(/withheld/);
  }));
