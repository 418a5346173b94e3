import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conflict } from '../../src/call/in-flight.js';
import type { Footprint, Touched } from '../../src/core.js';
import { table } from '../support/each-row.js';
import { calls, run, tool } from '../support/pipeline.js';

const touched: fc.Arbitrary<Touched> = fc.oneof(
  fc.constantFrom('nothing' as const, 'everything' as const),
  fc.subarray(['a', 'b', 'c']),
);
const footprint: fc.Arbitrary<Footprint> = fc.record({ reads: touched, writes: touched });

describe('a conflict', () => {
  table<[Footprint, Footprint, boolean]>([
    [{ reads: 'everything', writes: 'nothing' }, { reads: 'everything', writes: 'nothing' }, false],
    [{ reads: ['a'], writes: 'nothing' }, { reads: 'nothing', writes: ['a'] }, true],
    [{ reads: ['a'], writes: 'nothing' }, { reads: 'nothing', writes: ['b'] }, false],
    [{ reads: 'nothing', writes: ['a'] }, { reads: 'nothing', writes: ['a'] }, true],
    [{ reads: 'everything', writes: 'nothing' }, { reads: 'nothing', writes: ['a'] }, true],
    [{ reads: 'nothing', writes: 'nothing' }, { reads: 'everything', writes: 'everything' }, false],
    [{ reads: 'nothing', writes: [] }, { reads: 'everything', writes: 'nothing' }, false],
  ])('is a write and another use of the same path or key', (left, right, wanted) => {
    expect(conflict(left, right)).toBe(wanted);
  });

  test('is symmetric', () => {
    fc.assert(fc.property(footprint, footprint, (left, right) => conflict(left, right) === conflict(right, left)));
  });
});

describe('calls of a turn', () => {
  /**
   * Runs calls with the given footprints. Returns the maximum that ran at once, and whether conflicting ones ever did.
   */
  async function overlap(footprints: readonly Footprint[], concurrency?: number) {
    const working = new Set<Footprint>();
    let most = 0;
    let clash = false;
    const work = tool(
      'Work',
      async (input) => {
        const own = (input as { own: Footprint }).own;
        clash ||= [...working].some((other) => conflict(own, other));
        working.add(own);
        most = Math.max(most, working.size);
        await new Promise((resolve) => setImmediate(resolve));
        working.delete(own);
        return '';
      },
      { footprint: (input: { own: Footprint }) => input.own },
    );
    const turn = calls(...footprints.map((own) => ['Work', { own: { ...own } }] as const));
    await run([work], turn, concurrency === undefined ? {} : { concurrency });
    return { most, clash };
  }

  const reads: Footprint = { reads: 'everything', writes: 'nothing' };

  test('overlap up to the limit if they only read', async () => {
    const thirty = Array.from({ length: 30 }, () => reads);
    expect(await overlap([reads, reads, reads])).toEqual({ most: 3, clash: false });
    expect(await overlap([reads, reads, reads], 1)).toEqual({ most: 1, clash: false });
    expect([(await overlap(thirty)).most, (await overlap(thirty, 3)).most]).toEqual([10, 3]);
  });

  test('never overlap if they conflict', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(footprint, { maxLength: 8 }), async (footprints) => {
        expect((await overlap(footprints)).clash).toBe(false);
      }),
    );
  });
});
