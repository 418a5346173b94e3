import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('three hundred toolkits that read, search and edit take less than 300 MB, and give it back when they end', () => {
  const host = ['--expose-gc', '--import', 'tsx', 'test/support/many-toolkits.ts', '300'];
  const { used, left } = JSON.parse(execFileSync(process.execPath, host, { encoding: 'utf8' })) as Record<
    'used' | 'left',
    number
  >;
  expect(used).toBeLessThan(300);
  expect(left).toBeLessThan(30);
});

test('three thousand sessions on one toolkit take less than 5 MB', () => {
  const host = ['--expose-gc', '--import', 'tsx', 'test/support/many-sessions.ts', '3000'];
  const { known, used, left } = JSON.parse(execFileSync(process.execPath, host, { encoding: 'utf8' })) as Record<
    'known' | 'used' | 'left',
    number
  >;
  expect(known).toBe(3_000);
  expect(used).toBeLessThan(5);
  // The ids are forgotten; what is left is what a collection leaves behind.
  expect(left).toBeLessThan(2.5);
});
