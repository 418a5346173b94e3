import { appendFileSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScrubber } from '../../src/index.js';
import { CommandOutput } from '../../src/shell/output/capture.js';
import { CaptureFile } from '../../src/shell/output/capture-file.js';
import { CaptureReader } from '../../src/shell/output/capture-reader.js';
import { viewOutput } from '../../src/shell/output/view.js';
import { shellBench } from '../support/shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const secrets = [
  ['ghp', 'Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb7d'].join('_'),
  `password=${['hunter2', 'hunter2'].join('-')}-x9`,
  [
    '-----BEGIN PRIVATE',
    `KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(3)}-----END PRIVATE`,
    'KEY-----',
  ].join(' '),
];
const remains = /Ab3dE|Uv1wX|hunter2|MIIEv|hkiG9/;

/**
 * Writes the pieces one after the other and reads in between. Compares the read text with the result, and returns the
 * text after each read.
 */
function readsAll(path: string, pieces: readonly Buffer[], maxBytes = 65_536): readonly string[] {
  const view = { maxChars: 30_000, scrubber: createScrubber() };
  // A value before the place where it is recognised is already sent, so all values are known beforehand.
  const whole = new CaptureFile({ path: `${path}-whole`, fd: openSync(`${path}-whole`, 'ax+') }, 1_000_000_000);
  appendFileSync(`${path}-whole`, Buffer.concat(pieces));
  viewOutput(whole, view);
  whole.close();
  const capture = new CaptureFile({ path, fd: openSync(path, 'ax+') }, 1_000_000_000);
  const reader = new CaptureReader(capture, view);
  const read: string[] = [];
  for (const piece of pieces) {
    appendFileSync(path, piece);
    read.push(reader.readLines(maxBytes) ?? '');
  }
  for (let rest: string | undefined = ''; rest !== undefined; rest = reader.readLines(maxBytes, capture.size))
    read.push(rest);
  expect(read.join('')).toBe(viewOutput(capture, view).text);
  capture.close();
  return read;
}

test('a secret that two writes split at any place is in no chunk, and the chunks join to the whole', () => {
  const folder = temporaryFolder();
  let number = 0;
  for (const secret of secrets) {
    const raw = Buffer.from(`\u001b[32mgröße\u001b[0m ${secret} 10%\r20%\n`);
    for (let cut = 0; cut <= raw.length; cut++) {
      const read = readsAll(join(folder, `${number++}`), [raw.subarray(0, cut), raw.subarray(cut)]);
      expect(read.join('')).not.toMatch(remains);
    }
  }
});

test('the joined chunks of any output equal the result, for any cut', () => {
  const folder = temporaryFolder();
  let number = 0;
  const part = fc.oneof(
    fc.constantFrom(
      ...secrets,
      'word ',
      'x',
      '\n',
      '\r\n',
      '\r',
      '\b',
      'é',
      '日本',
      '😀',
      '\u001b[1m',
      '\u001b]0;title\u0007',
      '\u001b',
      ' ',
    ),
    fc.constantFrom('\ue000', '\ufeff', '\u009b1m', '\u0090', '12%\r'.repeat(12), '\t', 'B\bB', '    '),
  );
  const bytes = fc.uint8Array({ maxLength: 4 }).map((some) => Buffer.from(some));
  const write = fc.oneof(
    { weight: 12, arbitrary: part.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: bytes },
  );
  fc.assert(
    fc.property(
      fc.array(fc.array(write, { maxLength: 6 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 40 }),
      (writes, maxBytes) => {
        readsAll(
          join(folder, `${number++}`),
          writes.map((some) => Buffer.concat(some)),
          maxBytes,
        );
      },
    ),
    { numRuns: 300 },
  );
});

test('an endless line is sent in chunks and not stored', () => {
  const path = join(temporaryFolder(), 'line');
  const capture = new CaptureFile({ path, fd: openSync(path, 'ax+') }, 1_000_000_000);
  const chunks = new CommandOutput(capture, undefined, { maxChars: 30_000, scrubber: createScrubber() }).chunks();
  for (const line of ['word '.repeat(30_000), `${'word '.repeat(2_000)}\r`.repeat(20)]) {
    appendFileSync(path, line);
    const pieces = Array.from({ length: 5 }, () => chunks.next().value ?? '');
    expect(pieces.join('')).not.toBe('');
  }
});

test.each([false, true])(
  'all output is sent while the command runs and before its outcome; stderr kept apart: %s',
  async (separateOutput) => {
    const { run, root } = shellBench({
      separateOutput,
      scrubber: createScrubber(),
      overrides: { bash: { progressMs: 20 } },
    });
    const [token = ''] = secrets;
    const pieces: string[] = [];
    const wait = 'until [ -e go ]; do sleep 0.02; done';
    const { output } = await run(
      `printf 'first ${token.slice(0, 9)}'; ${wait}; echo '${token.slice(9)}'; printf '5%%\\r9%%'; echo apart >&2; ${wait}; printf last`,
      {
        wantsChunks: true,
        onOutput: (_, chunk = '') => {
          pieces.push(chunk);
          writeFileSync(join(root, 'go'), '');
        },
      },
    );
    expect(pieces.join('')).toBe(output);
    expect(pieces.join('')).not.toMatch(remains);
    expect(pieces.length).toBeGreaterThan(1);
  },
);

test('output faster than its reader follows when the command has ended, without loss', async () => {
  const { run } = shellBench({ scrubber: createScrubber() });
  const pieces: string[] = [];
  await run('seq 1 200000', { wantsChunks: true, onOutput: (_, chunk = '') => pieces.push(chunk) });
  expect(pieces.length).toBeGreaterThan(10);
  expect(pieces.join('')).toBe(Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join(''));
});

test('a listener that always throws gets every chunk and has no effect', async () => {
  const { run } = shellBench();
  const pieces: string[] = [];
  const onOutput = (_: string, chunk = '') => {
    pieces.push(chunk);
    throw new Error('listener');
  };
  expect(await run('seq 1 50000', { onOutput, wantsChunks: true })).toMatchObject({ exitCode: 0 });
  expect(pieces.join('')).toHaveLength(288_894);
});
