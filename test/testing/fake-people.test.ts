import { createPermissions } from 'toolwright';
import { fakeApprover, fakeUser, memoryFiles } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import { eachRow } from '../support/each-row.js';
import { testToolkit } from '../support/test-toolkit.js';

async function outcomes(onAsk: ReturnType<typeof fakeApprover>, ...names: readonly string[]) {
  const files = memoryFiles();
  const toolkit = testToolkit({ root: files.root, hosts: { files }, permissions: createPermissions({ onAsk }) });
  const calls = names.map((name) => ({
    id: name,
    name: 'Write',
    input: { file_path: `/workspace/${name}`, content: '' },
  }));
  const { results } = await toolkit.execute(calls);
  return results.map(({ ok, output }) => ok || output);
}

describe('an approver', () => {
  test.each([
    ['one answer', 'allow-once', [true, true]],
    ['a decision in full', { behavior: 'deny', message: 'Not today.' }, ['Not today.', 'Not today.']],
    ['answers by the name of the tool', { Write: 'allow' }, [true, true]],
    ['no answer for the tool', { Edit: 'allow' }, ['refused', 'refused']],
    ['a function', ({ title }: { title: string }) => (title.includes('a') ? 'deny' : 'allow'), ['refused', true]],
    ['a list in order', ['deny', 'allow-once'], ['refused', true]],
    [
      'a list that has ended',
      ['allow'],
      [true, 'fakeApprover has 1 answers, and Write asks question 2: add an answer'],
    ],
  ] as const)('answers from %s', async (_name, answers, expected) => {
    const found = await outcomes(fakeApprover(answers as 'allow'), 'a', 'b');
    for (const [index, one] of expected.entries())
      expect(found[index]).toEqual(one === true ? true : expect.stringContaining(one));
  });

  test('rejects an invalid answer at once, and lists the valid ones', () =>
    eachRow(
      [
        ['allow_once', 'every question'],
        [undefined, 'every question'],
        [null, 'every question'],
        [true, 'every question'],
        [['allow-once', 'no'], 'question 2'],
        [[['allow']], 'question 1'],
        [{ Write: 'alow' }, 'Write'],
        [{ behaviour: 'allow' }, 'every question'],
        [{ Behavior: 'deny', message: 'no' }, 'every question'],
      ],
      ([answers, question]) => {
        const make = () => fakeApprover(answers as never);
        expect(make).toThrow(TypeError);
        expect(make).toThrow(`not an answer about ${question} in fakeApprover`);
        expect(make).toThrow("answer 'allow', 'allow-once', 'allow-always', 'deny', or {");
      },
    ));
});

test('a user accepts texts by question only', () =>
  eachRow([undefined, 'yes', ['yes'], { 'Which?': 1 }], (answers) =>
    expect(() => fakeUser(answers as never)).toThrow(/^fakeUser takes answers by question, got .*; write fakeUser\(/),
  ));
