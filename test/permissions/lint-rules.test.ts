import { expect, test } from 'vitest';
import { ToolRegistry } from '../../src/index.js';
import { lintRules } from '../../src/policy.js';
import { samples, table } from '../support/each-row.js';
import { tool } from '../support/pipeline.js';

const tooWide = ['npm run', 'deno run', 'bun test', 'rm', 'rm -r', 'node', 'find', 'bash -c'].map(
  (words) => `Bash(${words} *)`,
);

table(['Bash', '*', 'Bash(*)', 'Bash(npx:*)', ...tooWide])(
  'warns about allowing any code or deleting anything',
  (rule) => {
    expect(lintRules({ allow: [rule] })).toEqual([
      { list: 'allow', rule, message: expect.stringMatching(/^[^\n]+\.$/) },
    ]);
  },
);

test('warns about ask and deny rules that operands can bypass', () => {
  const warnings = lintRules({
    ask: ['Bash(git push)'],
    deny: ['Bash(npm publish)', 'Bash(rm *)', 'Bash', 'Read(**/.env)'],
  });
  expect(warnings.map(({ list, rule }) => [list, rule])).toEqual([
    ['ask', 'Bash(git push)'],
    ['deny', 'Bash(npm publish)'],
  ]);
});

test('does not warn about rules without surprises, or about other tools', () => {
  expect(
    lintRules({
      allow: samples`
        Bash(git status) ¦ Bash(npm run build *) ¦ Bash(rm build/*) ¦ Edit(src/**) ¦ Read ¦ mcp__github__*`,
    }),
  ).toEqual([]);
  expect(lintRules({})).toEqual([]);
});

test('warns about names that resemble a tool, and with a registry about unknown names', () => {
  const rules = {
    allow: ['Publish', 'mcp__x__*', 'Deploy'],
    deny: ['Raed(**/.env)', 'Read(**/.env)', 'TodoRead', 'Dep*', 'TaskStop(a)'],
  };
  const registry = new ToolRegistry().register(
    tool('Deploy', () => ''),
    tool('TaskStop', () => ''),
  );
  const named = (warnings: ReturnType<typeof lintRules>) => warnings.map(({ rule }) => rule);
  expect(named(lintRules(rules))).toEqual(['Raed(**/.env)', 'TaskStop(a)']);
  expect(named(lintRules(rules, registry))).toEqual(['Publish', 'Raed(**/.env)', 'TodoRead', 'TaskStop(a)']);
});

test('an invalid rule throws', () => {
  expect(() => lintRules({ allow: ['Bash('] })).toThrow(TypeError);
});
