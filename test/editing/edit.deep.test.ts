import { test } from 'vitest';
import { bytesOutsideStay, replacingAllGoesBack } from '../support/edit-properties.js';
import { runs } from '../support/runs.js';

const numRuns = runs(2_000);

test('every byte outside the replaced place stays, for all encodings, byte order marks and line endings', () =>
  bytesOutsideStay(numRuns));

test('replacing all matches and replacing back gives the same bytes', () => replacingAllGoesBack(numRuns));
