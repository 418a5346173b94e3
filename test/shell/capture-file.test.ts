import { appendFileSync, closeSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createScrubber } from '../../src/index.js';
import { CaptureFile } from '../../src/shell/output/capture-file.js';
import { dropPartialCharacter } from '../../src/shell/output/view.js';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function capture(maxBytes: number, scrub?: (text: string) => string) {
  const path = join(temporaryFolder(), 'out');
  const fd = openSync(path, 'ax+');
  return {
    path,
    file: new CaptureFile({ path, fd }, maxBytes, scrub),
    write: (text: string | Buffer) => appendFileSync(path, text),
    text: () => readFileSync(path, 'utf8'),
  };
}

describe('an output file below its limit', () => {
  test('keeps every byte', () => {
    const { file, write, text } = capture(10);
    write('0123456789');
    file.bound();
    file.bound();
    expect(text()).toBe('0123456789');
    expect([file.lostBytes, file.headBytes, file.shift]).toEqual([0, 0, 0]);
  });

  test('is read at any position, also after it was closed, and is empty when it was removed', () => {
    const { file, write, path } = capture(100);
    write('0123456789');
    expect(file.read(3, 4).toString()).toBe('3456');
    expect(file.read(8, 100).toString()).toBe('89');
    file.close();
    file.close();
    expect(file.read(3, 4).toString()).toBe('3456');
    expect(file.size).toBe(10);
    rmSync(path);
    expect([file.read(0, 4).length, file.size]).toEqual([0, 0]);
  });
});

describe('an output file over its limit', () => {
  test('keeps head and tail around a line that counts the omitted bytes', () => {
    const { file, write, text } = capture(80);
    write('a'.repeat(60));
    write('b'.repeat(90));
    file.bound();
    expect(text()).toBe(`${`${'a'.repeat(40)}\n[90 bytes omitted]`.padEnd(79)}\n${'b'.repeat(20)}`);
    write('c'.repeat(4));
    file.bound();
    expect(text()).toBe(`${`${'a'.repeat(40)}\n[90 bytes omitted]`.padEnd(79)}\n${'b'.repeat(20)}cccc`);
    expect(file.lostBytes).toBe(90);
  });

  const rows = [
    ['in lines', '\n'],
    ['in words', ' '],
    ['in one long word', ''],
  ] as const;
  test('contains no part of a secret at the cut', () =>
    eachRow(rows, ([, separator]) => {
      const value = ['swordfish', '77', 'in', 'the', 'pond'].join('-');
      const scrubber = createScrubber({ values: [value] });
      for (const offset of [0, 3, 11]) {
        const { file, write, text } = capture(4_011, (raw) => scrubber.text(raw));
        write('x'.repeat(offset));
        for (let round = 0; round < 12; round++) {
          write(`${value}${separator}`.repeat(40));
          file.bound();
          expect(scrubber.text(text())).not.toMatch(/sword|fish|in-the|pond/);
        }
        expect(file.headBytes).toBeGreaterThan(1_500);
      }
    }));

  test('is not cut inside a private key', () => {
    const key = `-----BEGIN ${'PRIVATE'} KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ\n'.repeat(20)}-----END ${'PRIVATE'} KEY-----\n`;
    const scrubber = createScrubber();
    const { file, write, text } = capture(20_000, (raw) => scrubber.text(raw));
    for (let round = 0; round < 40; round++) {
      write(key);
      file.bound();
      expect(scrubber.text(text())).not.toContain('MIIEvQ');
    }
  });

  test('opens one more descriptor in all, also for a very small limit', () => {
    const { file, write } = capture(1);
    const before = readdirSync('/proc/self/fd').length;
    for (let round = 0; round < 20; round++) {
      write('a\n'.repeat(100));
      file.bound();
    }
    expect(readdirSync('/proc/self/fd').length).toBe(before + 1);
  });

  test('is appended to at its end by running writers', () => {
    const { file, path } = capture(40);
    const writer = openSync(path, 'a');
    for (let round = 0; round < 10; round++) {
      appendFileSync(writer, `${round}`.repeat(15));
      file.bound();
    }
    appendFileSync(writer, 'the end');
    closeSync(writer);
    file.bound();
    const whole = readFileSync(path, 'utf8');
    expect(whole).toMatch(/^0{15}1{5}\n\[\d+ bytes omitted\] *\n.*the end$/);
    expect(statSync(path).size).toBeLessThan(40 + 40 + 15 + 30);
  });

  test('ends its head with a complete character', () => {
    for (const letter of ['é', '日', '😀']) {
      for (let shift = 0; shift < 4; shift++) {
        const { file, write, text } = capture(40);
        write('x'.repeat(shift) + letter.repeat(30));
        file.bound();
        expect(text()).not.toContain('\ufffd');
        file.bound();
        expect(text()).not.toContain('\ufffd');
      }
    }
  });

  test('keeps its beginning and end for any writes, with the correct count', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 12 }), (lengths) => {
        const { file, write, text } = capture(60);
        let all = '';
        for (const [index, length] of lengths.entries()) {
          const chunk = String.fromCharCode(97 + index).repeat(length);
          all += chunk;
          write(chunk);
          file.bound();
        }
        file.bound();
        const [head = '', lost = '0', tail = ''] = text().split(/\n\[(\d+) bytes omitted\] *\n/);
        expect(all.startsWith(head) && all.endsWith(tail)).toBe(true);
        expect(head.length + Number(lost) + tail.length).toBe(all.length);
        if (file.lostBytes > 0) expect(tail.length).toBeGreaterThanOrEqual(15);
      }),
      { numRuns: 100 },
    );
  });
});

const rows = [
  ['é', 1, ''],
  ['a日b', 2, 'b'],
  ['😀x', 1, 'x'],
  ['abc', 0, 'abc'],
] as const;
test('drops the rest of a character', () =>
  eachRow(rows, ([text, from, rest]) =>
    expect(dropPartialCharacter(Buffer.from(text).subarray(from)).toString()).toBe(rest),
  ));
