import { appendFileSync, openSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScrubber } from '../../src/index.js';
import { CaptureFile } from '../../src/shell/output/capture-file.js';
import { CaptureReader } from '../../src/shell/output/capture-reader.js';
import { noScrubber } from '../../src/shell/output/view.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function bench(
  options: { readonly maxBytes?: number; readonly maxChars?: number; readonly scrubber?: typeof noScrubber } = {},
) {
  const path = join(temporaryFolder(), 'out');
  const file = new CaptureFile({ path, fd: openSync(path, 'ax+') }, options.maxBytes ?? 1_000_000_000);
  const view = { maxChars: options.maxChars ?? 30_000, scrubber: options.scrubber ?? noScrubber };
  return {
    path,
    file,
    reader: new CaptureReader(file, view),
    open: () => new CaptureReader(file, view),
    write: (bytes: string | Buffer) => appendFileSync(path, bytes),
  };
}

test('each reader continues at its own position', () => {
  const { reader, open, write } = bench();
  write('one ');
  expect(reader.read(false)).toBe('one ');
  write('two');
  expect([reader.read(false), reader.read(false), open().read(true), reader.read(true)]).toEqual([
    'two',
    '',
    'one two',
    '',
  ]);
});

test('the chunks join to the whole for any cut: characters, escape sequences, line ends and secrets', () => {
  const secret = ['ghp', 'Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb7d'].join('_');
  const raw = Buffer.from(`größe 日本 😀\r\n\u001b[1mbold\u001b[0m 10%\r\n20%\n${secret} \u001b]0;title\u0007end`);
  const plain = 'größe 日本 😀\nbold 10%\n20%\n[REDACTED] end';
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: raw.length }), { maxLength: 12 }), (cuts) => {
      const { reader, write } = bench({ scrubber: createScrubber() });
      let seen = '';
      let start = 0;
      for (const cut of [...cuts.sort((left, right) => left - right), raw.length]) {
        write(raw.subarray(start, cut));
        start = cut;
        seen += reader.read(false);
        expect(seen).not.toContain('ghp_');
      }
      seen += reader.read(true);
      expect(seen).toBe(plain);
    }),
    { numRuns: 200 },
  );
});

test.each(['\r20%', '\u001b[32m\r20%', '\u001b[2J20%', '\b\b\b20%', '\u001b[1G20%', '\u001b[3D20%', '\u001b[2K\r20%'])(
  'text that overwrites a shown part of a line is shown below it: %j',
  (again) => {
    const { reader, write } = bench();
    write('10%');
    expect(reader.read(false)).toBe('10%');
    write(`${again}\n`);
    expect(reader.read(false)).toBe('\n20%\n');
  },
);

test('a long chunk shows its ends and counts the rest, and reading continues after it', () => {
  const { reader, write, path } = bench({ maxChars: 1_000 });
  write('begin\n');
  expect(reader.read(false)).toBe('begin\n');
  write(`first\n${'x\n'.repeat(200_000)}last\n`);
  const piece = reader.read(false);
  expect(piece).toMatch(
    new RegExp(`^first\\n[x\\n]*\\[\\d+ characters omitted; full output: ${path}\\]\\n[x\\n]*last\\n$`),
  );
  expect(piece.length).toBeLessThanOrEqual(1_000);
  write('more\n');
  expect(reader.read(false)).toBe('more\n');
});

test('a secret at the cut of a long chunk is not shown', () => {
  const secret = ['AKIA', 'Z2Y3X4W5V6U7T8S9'].join('');
  for (const around of [100, 300, 420, 430, 440, 450, 500]) {
    const { reader, write } = bench({ maxChars: 1_000, scrubber: createScrubber() });
    write(`${'-'.repeat(around)} ${secret} ${'-\n'.repeat(100_000)} ${secret} ${'-'.repeat(around)}`);
    expect(reader.read(true)).not.toMatch(/AKIA|Z2Y3|T8S9/);
  }
});

test('unread text that stays after the middle was dropped is read once and whole', () => {
  const { reader, file, write } = bench({ maxBytes: 100 });
  write('a'.repeat(100));
  write(`${'b'.repeat(30)}`);
  expect(reader.read(false)).toHaveLength(130);
  write('c'.repeat(15));
  file.bound();
  write('d');
  expect(reader.read(true)).toBe(`${'c'.repeat(15)}d`);
});

test('the first half of a secret is not shown if the second half was dropped with the middle', () => {
  const secret = ['ghp', 'A1b2C3d4E5f6'.repeat(3)].join('_');
  const { reader, file, write } = bench({ maxBytes: 100, scrubber: createScrubber() });
  write(`${'a'.repeat(60)} ${secret.slice(0, 20)}`);
  let seen = reader.read(false);
  write(`${secret.slice(20)}\n${'b'.repeat(200)}`);
  file.bound();
  seen += reader.read(true);
  expect(seen).not.toMatch(/ghp_|A1b2/);
});

test('after the middle was dropped, reading continues with the newest output', () => {
  const { reader, file, write } = bench({ maxBytes: 100 });
  write('a'.repeat(60));
  expect(reader.read(false)).toBe('a'.repeat(60));
  write('b'.repeat(100));
  file.bound();
  write('newest');
  expect(reader.read(false)).toMatch(/^\n\[85 bytes omitted\] *\nb{25}newest$/);
  write(' and on');
  expect(reader.read(false)).toBe(' and on');
});
