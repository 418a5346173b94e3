import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createScrubber } from '../../src/index.js';
import { CaptureFile } from '../../src/shell/output/capture-file.js';
import { noScrubber, tailOutput, viewOutput } from '../../src/shell/output/view.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function fileOf(content: string | Buffer): CaptureFile {
  const path = join(temporaryFolder(), 'out');
  writeFileSync(path, content);
  return new CaptureFile({ path, fd: openSync(path, 'r') }, Number.POSITIVE_INFINITY);
}

describe('the view of an output', () => {
  test('is the output itself below the limit', () => {
    expect(viewOutput(fileOf('a\nb\n'), { maxChars: 100, scrubber: noScrubber })).toEqual({
      text: 'a\nb\n',
      isCut: false,
    });
    expect(viewOutput(fileOf(''), { maxChars: 100, scrubber: noScrubber })).toEqual({ text: '', isCut: false });
  });

  test('never exceeds its limit, is well formed, and has the exact count for plain text', () => {
    const letter = fc.constantFrom('x', 'line\n', 'é', '日本', '😀');
    fc.assert(
      fc.property(
        letter,
        fc.integer({ min: 1, max: 40_000 }),
        fc.integer({ min: 600, max: 5_000 }),
        (unit, times, maxChars) => {
          const whole = unit.repeat(times);
          const { text, isCut } = viewOutput(fileOf(whole), { maxChars, scrubber: noScrubber });
          expect(text.length).toBeLessThanOrEqual(Math.max(maxChars, 0));
          expect(text.isWellFormed()).toBe(true);
          expect(isCut).toBe(whole.length > maxChars);
          if (!isCut) return;
          const [head = '', count, tail = ''] = text.split(/\n?\[(\d+) characters omitted; .*\]\n/);
          expect(whole.endsWith(tail) && whole.startsWith(head)).toBe(true);
          const newline = unit.endsWith('\n') ? 1 : 0;
          expect(Number(count)).toBe(whole.length - head.length - newline - tail.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('contains no part of a secret at the cut, for any number of colour codes', () => {
    const secret = ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_');
    const value = ['swordfish', '77', 'in', 'the', 'pond'].join('-');
    const lines = (filler: string, end = '\n') => `${filler.repeat(7)}token=${secret} ${value}${end}`.repeat(4_000);
    // More colour codes than text, so that the remaining text of the window would fit.
    const colours = '\u001b[1m'.repeat(10);
    const ends = Array.from({ length: 8 }, (_, count) =>
      lines('', ' ')
        .slice(0, 1_600 + 7 * count)
        .replace(/./g, `$&${colours}`),
    );
    for (const content of [lines('.'), lines('\u001b[1m.\u001b[0m'), lines('日'), ...ends]) {
      const { text } = viewOutput(fileOf(content), { maxChars: 1_500, scrubber: createScrubber({ values: [value] }) });
      expect(text).not.toMatch(/sk_live|4eC39H|jtT1zdp|zdp7dc|swordfish|pond/);
    }
  });
});

describe('the tail of a running output', () => {
  test('is its bounded end, from a complete character on', () => {
    expect(tailOutput(fileOf('a\nb\n'), { maxChars: 100, scrubber: noScrubber })).toBe('a\nb\n');
    const tail = tailOutput(fileOf('😀'.repeat(50_000)), { maxChars: 101, scrubber: noScrubber });
    expect(tail).toBe('😀'.repeat(50));
  });

  test('omits an unfinished character, escape sequence or secret', () => {
    expect(tailOutput(fileOf(Buffer.from([97, 0xc3])), { maxChars: 100, scrubber: noScrubber })).toBe('a');
    expect(tailOutput(fileOf('a\u001b[3'), { maxChars: 100, scrubber: noScrubber })).toBe('a');
    const begun = `key ${['ghp', 'Ab3dEf6hIj9k'].join('_')}`;
    expect(tailOutput(fileOf(begun), { maxChars: 100, scrubber: createScrubber() })).not.toContain('ghp_');
  });
});
