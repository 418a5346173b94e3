import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** The memory in MB that a program of test/support prints. */
function measured(program: string, count: number): Record<'known' | 'used' | 'left', number> {
  const host = ['--expose-gc', '--import', 'tsx', `test/support/${program}.ts`, String(count)];
  return JSON.parse(execFileSync(process.execPath, host, { encoding: 'utf8' }));
}

test('three hundred toolkits that read, search and edit need less than 300 MB, and free it after dispose', () => {
  const { used, left } = measured('many-toolkits', 300);
  expect(used).toBeLessThan(300);
  expect(left).toBeLessThan(30);
});

test('three thousand sessions of one toolkit need less than 5 MB', () => {
  const { known, used, left } = measured('many-sessions', 3_000);
  expect(known).toBe(3_000);
  expect(used).toBeLessThan(5);
  // The ids are dropped; the rest is memory that garbage collection does not free.
  expect(left).toBeLessThan(2.5);
});
