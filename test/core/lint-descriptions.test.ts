import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../src/core/registry/lint-descriptions.js';
import { lintDescriptions } from '../../src/policy.js';
import { table } from '../support/each-row.js';

const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');
const lint = (description: string) => lintDescriptions([{ name: 'Tool', description }]);

describe('the budget of a description', () => {
  table([
    [`${words(9)}.`, undefined],
    [words(19), undefined],
    [words(20), undefined],
    [`${words(12)}. ${words(12)}.`, undefined],
    [`${words(20)}. ${words(18)}.`, undefined],
    ['', 'say in at least 10'],
    [words(9), 'say in at least 10'],
    [words(21), 'in one sentence; keep it to 20'],
    [`${words(24)} version 1.2.`, 'in one sentence'],
    [`${words(20)}. ${words(20)}.`, 'keep to 40'],
    [words(100), 'keep to 40'],
  ])('is enforced', (description, message) => {
    if (message === undefined) expect(lint(description)).toEqual([]);
    else expect(lint(description)).toMatchObject([{ tool: 'Tool', message: expect.stringContaining(message) }]);
  });

  test('is reported for each tool, with the tokens', () => {
    const found = lintDescriptions([
      { name: 'Short', description: 'x' },
      { name: 'Good', description: words(15) },
      { name: 'Long', description: words(30) },
    ]);
    expect(found.map(({ tool, tokens }) => [tool, tokens])).toEqual([
      ['Short', 1],
      ['Long', 30],
    ]);
  });
});

table([
  ['', 0],
  ['Read a file.', 4],
  ['internationalisation', 3],
  ['run_in_background', 6],
  ['120000 ms', 3],
  ['(a, b)', 5],
  ['für', 3],
  ['文件を読む', 5],
  ['🙂', 1],
])('tokens are estimated', (text, tokens) => expect(estimateTokens(text)).toBe(tokens));
