import { describe, expect, test } from 'vitest';
import { createConfigStore, createPermissions } from '../../src/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

const question = {
  question: 'Which?',
  header: 'Which',
  options: ['a', 'b'].map((label) => ({ label, description: label })),
};
const settings = { theme: { type: 'string', default: 'dark', description: 'Colours' } } as const;

/** A valid call of each tool, with its risk. */
const calls = (root: string): readonly (readonly [risk: 'none' | 'low' | 'medium', name: string, input: object])[] => [
  ['none', 'TodoWrite', { todos: [] }],
  ['none', 'TodoRead', {}],
  ['none', 'TaskCreate', { subject: 'a', description: 'b' }],
  ['none', 'TaskGet', { taskId: '1' }],
  ['none', 'TaskUpdate', { taskId: '1', status: 'completed' }],
  ['none', 'TaskList', {}],
  ['none', 'AskUserQuestion', { questions: [question] }],
  ['none', 'List', { path: root }],
  ['low', 'Config', { setting: 'theme' }],
  ['low', 'EnterPlanMode', {}],
  ['medium', 'Config', { setting: 'theme', value: 'light' }],
];

describe.each([
  ['in mode default', true, ['none']],
  ["with autoAllow: 'low-risk'", 'low-risk', ['none', 'low']],
  ['with autoAllow: false', false, []],
] as const)('%s', (_, autoAllow, unasked) => {
  test('tools of risk none run without a question, and all others ask', async () => {
    const root = temporaryFolder();
    const asked: string[] = [];
    const onAsk = ({ callId }: { readonly callId: string }) => {
      asked.push(callId);
      return 'allow-once' as const;
    };
    const toolkit = testToolkit({
      root,
      features: { tasks: true },
      permissions: createPermissions({ root, autoAllow, onAsk }),
      hosts: {
        config: createConfigStore({ settings }),
        userInput: { ask: () => ({ answers: { 'Which?': 'a' } }) },
      },
    });
    const rows = calls(root).map(([risk, name, input], index) => ({
      risk,
      call: { id: `${index} ${name}`, name, input },
    }));
    const { results } = await toolkit.execute(rows.map(({ call }) => call));
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    const wanted = rows.filter(({ risk }) => !(unasked as readonly string[]).includes(risk));
    expect(asked).toEqual(wanted.map(({ call }) => call.id));
  });
});
