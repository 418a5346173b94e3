import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { type Cost, commonCosts } from '../.ci/cost-page.js';
import { table } from './support/each-row.js';

let costs: readonly Cost[];

beforeAll(async () => {
  costs = await commonCosts();
});

const costOf = (tool: string, what: string): Cost => {
  const found = costs.find((cost) => cost.tool === tool && cost.what.startsWith(what));
  if (found === undefined) throw new Error(`${tool}: ${what} is not counted`);
  return found;
};

test('the page of costs equals the measured costs', () => {
  const page = readFileSync(new URL('../docs/reference/cost.md', import.meta.url), 'utf8');
  expect(costs.length).toBeGreaterThanOrEqual(30);
  for (const { tool, what, tokens } of costs) expect(page).toContain(`| ${tool} | ${what} | ${tokens} |`);
});

table([
  ['Glob', '20 files, `relative', 360],
  ['Grep', '20 files, `relative', 360],
  ['Grep', '20 lines, `relative', 360],
  ['Edit', 'one place', 20],
  ['Edit', 'two places', 30],
  ['Write', 'a new file', 20],
  ['Bash', 'a command without output', 5],
])('results need at most their token budget', (tool, what, most) => {
  expect(costOf(tool, what).tokens).toBeLessThanOrEqual(most);
});

test('an exact edit returns one line, and short paths omit the root', () => {
  expect(costOf('Edit', 'one place').text).toBe('Edited /home/ann/project/src/config.ts at line 1.');
  expect(costOf('Edit', 'one place, `relative').text).toBe('Edited src/config.ts at line 1.');
  const lines = costOf('Grep', '20 lines, `relative').text.split('\n');
  expect(lines).toHaveLength(20);
  expect(lines).toContain("src/mail/types.ts:3:export const types = log('mail');");
  expect(costOf('Glob', '20 files, `relative').text.split('\n')).toContain('src/mail/types.ts');
  expect(costOf('Grep', '20 lines').text).toContain('/home/ann/project/src/mail/types.ts:3:');
});
