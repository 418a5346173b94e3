import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { RipgrepOutput } from '../../src/files/search/ripgrep/output.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('an endless line needs only the memory of its beginning', () => {
  const found: (string | undefined)[] = [];
  const output = new RipgrepOutput(
    'content',
    { lineNumbers: true, maxLineChars: 50 },
    (_path, line) => found.push(line) > 0,
  );
  output.push(Buffer.from('/w/a\0' + '1:'));
  collect();
  const before = process.memoryUsage().arrayBuffers;
  for (let index = 0; index < 2_000; index++) output.push(Buffer.alloc(65_536, 'x'));
  collect();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  output.push(Buffer.from('\n/w/b\0' + '1:y\n'));
  expect(found).toEqual([`/w/a:1:${'x'.repeat(50)} [cut; ${2_000 * 65_536} bytes in all]`, '/w/b:1:y']);
});

test('a stored line needs little more memory than its characters, and does not change its source', () => {
  const record = `/home/project/area-7/src/module.ts\x00123:  return total + sum({ first, second, third });\n`;
  const chunk = Buffer.from(record.repeat(1_000));
  const kept: (string | undefined)[] = [];
  const output = new RipgrepOutput(
    'content',
    { lineNumbers: true, maxLineChars: 2_000 },
    (_path, line) => kept.push(line) > 0,
  );
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 200; index++) output.push(chunk);
  collect();
  expect((process.memoryUsage().heapUsed - before) / (200_000 * record.length)).toBeLessThan(1.7);
  expect(kept).toHaveLength(200_000);
  expect(chunk.toString()).toBe(record.repeat(1_000));
});
