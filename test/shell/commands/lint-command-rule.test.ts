import { expect, test } from 'vitest';
import { lintRestriction, lintRule } from '../../../src/shell/assess/lint-command-rule.js';
import { eachRow, samples, table } from '../../support/each-row.js';

table([
  ...samples`
    * ¦ node * ¦ node:* ¦ npx * ¦ python * ¦ python3.12 * ¦ python3 -c * ¦ node -e * ¦ bash * ¦ /bin/sh * ¦ sh -c *
    sudo * ¦ env * ¦ xargs * ¦ find * ¦ make * ¦ docker * ¦ docker run * ¦ git * ¦ npm * ¦ npm exec * ¦ perl *
    awk * ¦ ssh * ¦ timeout * ¦ np* * ¦ uv run *
  `,
  '',
])('warns about rules that allow any code', (spec) => expect(lintRule(spec)).toMatch(/\.$/));

test('does not warn about other rules', () =>
  eachRow(
    samples`
      git status ¦ git status * ¦ npm run build * ¦ npm test ¦ ls * ¦ cat src/* ¦ node build.js ¦ node build.js *
      python3 -m ¦ cargo check * ¦ echo *
    `,
    (spec) => expect(lintRule(spec)).toBeUndefined(),
  ));

test('notes that a deny rule with exact words is narrow', () => {
  expect(lintRestriction('git push')).toContain('git push *');
  expect(lintRestriction('git push *')).toBeUndefined();
  expect(lintRestriction('*')).toBeUndefined();
});
