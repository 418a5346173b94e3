import { describe, expect, test } from 'vitest';
import { killedReviews } from '../support/killed-reviews.js';
import { hasPostgres } from '../support/postgres.js';
import { runs } from '../support/runs.js';

describe.runIf(await hasPostgres())('on PostgreSQL', () => {
  test('a request and its grant agree when the connection ends at any moment', async () => {
    const rounds = runs(200);
    const kept = await killedReviews(rounds);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(rounds);
  });
});
