import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineFeedCounter } from '../../src/editing/encodings/line-feed-counter.js';

function counter() {
  const made = lineFeedCounter();
  if (made === undefined) throw new Error('this engine has no vectors');
  return made;
}

test('counts like a loop, in any range of any bytes', () => {
  const { memory, count } = counter();
  const bytes = fc.array(fc.oneof(fc.constant(10), fc.integer({ min: 0, max: 255 })), { maxLength: 400 });
  fc.assert(
    fc.property(bytes, fc.nat(5_000), fc.nat(400), (values, at, skipped) => {
      memory.set(values, at);
      const from = Math.min(skipped, values.length);
      expect(count(at + from, at + values.length)).toBe(values.slice(from).filter((value) => value === 10).length);
    }),
    { numRuns: 2_000 },
  );
});

test('counts to the end of its memory, and beyond the range of a byte', () => {
  const { memory, count } = counter();
  memory.fill(10);
  expect(count(0, memory.length)).toBe(memory.length);
  expect(count(memory.length - 17, memory.length)).toBe(17);
  expect(count(5, 5)).toBe(0);
});

test('two counters have separate memories', () => {
  const [one, other] = [counter(), counter()];
  one.memory.fill(10, 0, 100);
  other.memory.fill(0, 0, 100);
  expect([one.count(0, 100), other.count(0, 100)]).toEqual([100, 0]);
});

test('is undefined in an engine without WebAssembly or SIMD', () => {
  class Unknown {
    constructor() {
      throw new SyntaxError('invalid opcode');
    }
  }
  expect(lineFeedCounter({ Module: Unknown, Instance: Unknown } as never)).toBeUndefined();
  expect(lineFeedCounter(null as never)).toBeUndefined();
});
