import { expect, test } from 'vitest';
import { killedResumes } from '../../support/killed-resumes.js';
import { runs } from '../../support/runs.js';

/** A quarter of a second each. */
const kills = 2 * runs(100);

test(
  'if a process is killed while it resumes a turn, nothing runs twice and each call has one result',
  {
    timeout: 3_000 * kills,
  },
  async () => {
    const [one, other] = await Promise.all([killedResumes(kills / 2), killedResumes(kills / 2)]);
    expect(one.died + other.died).toBeGreaterThan(kills / 2);
    expect(one.interrupted + other.interrupted).toBeGreaterThan(kills / 50);
    expect(one.settled + other.settled).toBeGreaterThan(kills);
  },
);
