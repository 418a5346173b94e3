import { expect, test } from 'vitest';
import { lintRules } from '../../src/index.js';

test.each(['Bash', '*', 'Bash(*)', 'Bash(node *)', 'Bash(npx:*)', 'Bash(find *)', 'Bash(bash -c *)'])(
  'warns that allowing %s allows any code',
  (rule) => {
    expect(lintRules({ allow: [rule] })).toEqual([{ list: 'allow', rule, message: expect.stringMatching(/^[^\n]+\.$/) }]);
  },
);

test('warns of asking and denying rules that operands walk around', () => {
  const warnings = lintRules({ ask: ['Bash(git push)'], deny: ['Bash(npm publish)', 'Bash(rm *)', 'Bash', 'Read(**/.env)'] });
  expect(warnings.map(({ list, rule }) => [list, rule])).toEqual([
    ['ask', 'Bash(git push)'],
    ['deny', 'Bash(npm publish)'],
  ]);
});

test('says nothing about rules that mean what they say, nor about other tools', () => {
  expect(lintRules({ allow: ['Bash(git status)', 'Bash(npm run *)', 'Edit(src/**)', 'Read', 'mcp__github__*'] })).toEqual([]);
  expect(lintRules({})).toEqual([]);
});

test('a rule that is none is a mistake of the host', () => {
  expect(() => lintRules({ allow: ['Bash('] })).toThrow(TypeError);
});
