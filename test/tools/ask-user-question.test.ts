import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { UserQuestion } from '../../src/core.js';
import { createToolkit, type ToolkitOptions, terminalInput, type UserInput } from '../../src/index.js';
import { callScope } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

const options = [
  { label: 'SQLite', description: 'One file' },
  { label: 'Postgres, hosted', description: 'A server', preview: 'host:\n  db' },
];
const database = { question: 'Which database?', header: 'Database', options };
const extras = { ...database, question: 'Which extras?', header: 'Extras', multiSelect: true };

async function ask(input: object, userInput?: unknown, more: Partial<ToolkitOptions> = {}, signal?: AbortSignal) {
  const toolkit = testToolkit({ hosts: { userInput: userInput as UserInput }, ...more });
  const { results } = await toolkit.execute([{ id: 'a', name: 'AskUserQuestion', input }], { signal });
  expect(results).toHaveLength(1);
  return results[0];
}

const saying = (answers: object, skipped?: readonly string[]) => ({ ask: async () => ({ answers, skipped }) });

describe('a question', () => {
  test('reaches the person without asking for permission, and the answer reaches the model', async () => {
    const asked: unknown[] = [];
    const userInput: UserInput = {
      ask: async ({ questions }, { caller }) => {
        asked.push({ questions, caller });
        return { answers: { 'Which database?': 'SQLite' } };
      },
    };
    expect(await ask({ questions: [database] }, userInput)).toMatchObject({
      ok: true,
      output: 'Which database? -> SQLite',
      metadata: { answers: { 'Which database?': 'SQLite' }, skipped: [], ownWords: [] },
    });
    expect(asked).toEqual([{ questions: [{ ...database, multiSelect: false }], caller: { sessionId: 'default' } }]);
  });

  const answered = [
    ['an option', database, 'Postgres, hosted', 'Which database? -> Postgres, hosted'],
    ['several options', extras, 'Postgres, hosted, SQLite', 'Which extras? -> Postgres, hosted, SQLite'],
    ['one option twice', extras, 'SQLite, SQLite', 'Which extras? -> SQLite, SQLite (in their own words)'],
    ['several where one is wanted', database, 'SQLite, Postgres, hosted', / \(in their own words\)$/],
    ['own words', database, ' none at all ', 'Which database? -> none at all (in their own words)'],
    ['nothing', database, '', 'Which database? -> not answered; decide by yourself'],
  ] as const;
  test('is answered with options, free text or nothing', () =>
    eachRow(answered, async ([, question, answer, output]) => {
      const result = await ask({ questions: [question] }, saying({ [question.question]: answer }));
      expect(result?.output).toEqual(typeof output === 'string' ? output : expect.stringMatching(output));
    }));

  test('that is skipped or not answered is reported as such', async () => {
    const result = await ask({ questions: [database, extras] }, saying({}, ['Which extras?']));
    expect(result).toMatchObject({
      ok: true,
      metadata: { answers: {}, skipped: ['Which database?', 'Which extras?'] },
    });
  });

  test('that the input answers is not asked', async () => {
    const asked: UserQuestion[] = [];
    const userInput: UserInput = {
      ask: ({ questions }) => {
        asked.push(...questions);
        return { answers: { 'Which extras?': 'SQLite' } };
      },
    };
    const answers = { 'Which database?': 'SQLite' };
    expect(await ask({ questions: [database, extras], answers }, userInput)).toMatchObject({
      metadata: { answers: { ...answers, 'Which extras?': 'SQLite' } },
    });
    expect(asked.map(({ question }) => question)).toEqual(['Which extras?']);
    expect(await ask({ questions: [database], answers })).toMatchObject({ ok: true });
  });

  test('ends when its turn aborts, for any behaviour of the host', async () => {
    const turn = new AbortController();
    const userInput = { ask: () => new Promise(() => setImmediate(() => turn.abort())) };
    expect(await ask({ questions: [database] }, userInput, {}, turn.signal)).toMatchObject({
      error: { code: 'interrupted' },
    });
  });

  test('does not overlap with later calls of its turn', async () => {
    const log: string[] = [];
    const userInput: UserInput = {
      ask: async ({ questions }) => {
        log.push('asked');
        await new Promise(setImmediate);
        log.push('answered');
        return { answers: Object.fromEntries(questions.map(({ question }) => [question, 'SQLite'])) };
      },
    };
    await using toolkit = createToolkit({ root: temporaryFolder(), hosts: { userInput } });
    const call = (id: string) => ({ id, name: 'AskUserQuestion', input: { questions: [database] } });
    await toolkit.execute([call('1'), call('2')]);
    expect(log).toEqual(['asked', 'answered', 'asked', 'answered']);
  });
});

const rows: readonly [string, unknown, string, RegExp][] = [
  ['is not there', undefined, 'not_configured', /no hosts\.userInput\. Decide by yourself/],
  ['throws', { ask: () => Promise.reject(new Error('no')) }, 'execution_failed', /hosts\.userInput failed: no\./],
  ['answers nothing', { ask: () => undefined }, 'execution_failed', /hosts\.userInput gave no usable answer/],
  ['answers no text', saying({ 'Which database?': 5 }), 'execution_failed', /gave no usable answer/],
  ['answers a list of no texts', { ask: () => ({ answers: {}, skipped: 'all' }) }, 'execution_failed', /usable/],
];
test('fails with a code if the host is missing, fails or returns an invalid answer', () =>
  eachRow(rows, async ([, userInput, code, message]) => {
    const result = await ask({ questions: [database] }, userInput);
    expect(result).toMatchObject({ ok: false, error: { code } });
    expect(result?.output).toMatch(message);
  }));

/** The output of a terminal at which these texts are typed, and the answers. */
async function typing(questions: readonly UserQuestion[], ...typed: readonly string[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const asked = terminalInput({ input, output }).ask({ questions }, callScope());
  for (const text of typed) input.write(text);
  input.end();
  const answers = await asked;
  return { ...answers, shown: String(output.read()) };
}

describe('at a terminal', () => {
  const one = { ...database, multiSelect: false };
  const several = { ...extras, multiSelect: true };

  const rows = [
    ['a number', one, '2\n', 'Postgres, hosted'],
    ['a label in any letter case', one, 'sqlite\n', 'SQLite'],
    ['numbers', several, '2, 1\r\n', 'Postgres, hosted, SQLite'],
    ['numbers where one is wanted', one, '1,2\n', '1,2'],
    ['a number that stands for nothing', one, '7\n', '7'],
    ['words', one, ' what you think \n', 'what you think'],
  ] as const;
  test('a typed line is the answer', () =>
    eachRow(rows, async ([, question, typed, answer]) =>
      expect(await typing([question], typed)).toMatchObject({ answers: { [question.question]: answer }, skipped: [] }),
    ));

  test('lines that arrive at once answer the questions in order, and an empty line or the end skips one', async () => {
    const questions = [one, several, { ...one, question: 'And now?' }];
    expect(await typing(questions, '1\n\n')).toMatchObject({
      answers: { 'Which database?': 'SQLite' },
      skipped: ['Which extras?', 'And now?'],
    });
  });

  test('texts of a model cannot move the cursor or hide text', async () => {
    const escapeCode = String.fromCharCode(27);
    const { shown } = await typing(
      [
        {
          ...one,
          question: `Sure?${escapeCode}[2K\u202e`,
          options: [{ label: 'a\nb', description: '\u200b', preview: '\r' }],
        },
      ],
      '\n',
    );
    expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(shown).toContain('1. a\\nb: \\u{200b}');
  });

  test('an abort ends the question, and the terminal can be used for the next', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const terminal = terminalInput({ input, output });
    const turn = new AbortController();
    const first = terminal.ask({ questions: [one] }, callScope({ signal: turn.signal }));
    output.once('data', () => turn.abort(new Error('enough')));
    await expect(first).rejects.toThrow('enough');
    const second = terminal.ask({ questions: [one] }, callScope());
    input.write('1\n');
    expect(await second).toMatchObject({ answers: { 'Which database?': 'SQLite' } });
  });

  test('needs streams', () =>
    expect(() => terminalInput({ input: process.stdin, outputs: 1 } as never)).toThrow(
      /outputs is no option.*"output"/,
    ));
});
