import { expect, test } from 'vitest';
import type { UserInput, UserQuestion } from '../../src/index.js';
import { elicitByQuestions } from '../../src/mcp.js';
import { callScope } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';

const choice = { type: 'string', enum: ['red', 'green'] };
const titled = {
  type: 'string',
  oneOf: [
    { const: 'r', title: 'Red' },
    { const: 'g', title: 'Green' },
  ],
};
const several = { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } };
const many = { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c', 'd', 'e'] } };
const flag = { type: 'boolean', title: 'Sure?' };
const free = { type: 'string' };
const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required });

const rows: readonly (readonly [
  schema: object | undefined,
  answers: readonly (string | undefined)[],
  expected: object,
])[] = [
  [object({ c: choice }), ['green'], { action: 'accept', content: { c: 'green' } }],
  [object({ c: titled }), ['Green'], { action: 'accept', content: { c: 'g' } }],
  [
    object({ c: { enum: ['r', null, 'g'], enumNames: ['Red', 'None', 'Green'] } }),
    ['Green'],
    { action: 'accept', content: { c: 'g' } },
  ],
  [object({ c: flag }), ['No'], { action: 'accept', content: { c: false } }],
  [object({ c: several }), ['a, c'], { action: 'accept', content: { c: ['a', 'c'] } }],
  [object({ c: choice }), [undefined], { action: 'accept', content: {} }],
  [object({ c: choice }, ['c']), [undefined], { action: 'decline' }],
  [object({ c: choice }, ['c']), ['a colour of my own'], { action: 'decline' }],
  [object({ c: choice, f: free }), ['red'], { action: 'accept', content: { c: 'red' } }],
  [object({ c: choice, f: { ...free, default: 'x' } }), ['red'], { action: 'accept', content: { c: 'red', f: 'x' } }],
  [object({ c: choice, f: free }, ['f']), [], { action: 'cancel' }],
  [object({ c: { type: 'string', enum: ['1', '2', '3', '4', '5'] } }, ['c']), [], { action: 'cancel' }],
  [
    object({ c: { ...many, default: ['a', 'e'] } }, ['c']),
    ['Accept'],
    { action: 'accept', content: { c: ['a', 'e'] } },
  ],
  [object({ c: { ...many, default: [1] } }, ['c']), [], { action: 'cancel' }],
  [object({ c: { type: 'string', enum: ['same', 'same'] } }, ['c']), [], { action: 'cancel' }],
  [object({}), ['Accept'], { action: 'accept', content: {} }],
  [undefined, ['Decline'], { action: 'decline' }],
  [undefined, [undefined], { action: 'decline' }],
  [
    object({ __proto__x: choice, constructor: choice }),
    ['red', 'red'],
    { action: 'accept', content: { __proto__x: 'red', constructor: 'red' } },
  ],
  [
    object(Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, flag]))),
    ['Yes', 'Yes', 'Yes', 'Yes', 'No'],
    { action: 'accept', content: { a: true, b: true, c: true, d: true, e: false } },
  ],
];

test('the answers of a form have the types of its fields', () =>
  eachRow(rows, async ([schema, given, expected]) => {
    const answers = [...given];
    const asked: UserQuestion[] = [];
    const userInput = {
      ask: ({ questions }: { readonly questions: readonly UserQuestion[] }) => {
        expect(questions.length).toBeLessThanOrEqual(4);
        asked.push(...questions);
        const said = questions.map(({ question }) => [question, answers.shift()] as const);
        return {
          answers: Object.fromEntries(said.filter(([, answer]) => answer !== undefined)) as Record<string, string>,
        };
      },
    };
    const request = { server: 'git', message: 'Please say', schema: schema as never };
    expect(await elicitByQuestions(userInput).elicit(request, callScope())).toEqual(expected);
    expect(answers).toEqual([]);
    for (const { header, options, question } of asked) {
      expect(header.length).toBeLessThanOrEqual(12);
      expect(options.length).toBeGreaterThanOrEqual(2);
      expect(question).toContain('git: Please say');
    }
  }));

test('each choice of labels with commas is told apart', async () => {
  const values = ['A', 'B', 'A, B', 'B,'];
  const schema = object({ c: { type: 'array', items: { type: 'string', enum: values } } });
  for (let chosen = 1; chosen < 2 ** values.length; chosen++) {
    const isChosen = (_: unknown, at: number) => (chosen & (2 ** at)) > 0;
    const userInput: UserInput = {
      ask: ({ questions: [asked] }) => {
        const labels = asked?.options.map(({ label }) => label) ?? [];
        return { answers: { [asked?.question ?? '']: labels.filter(isChosen).join(', ') } };
      },
    };
    const answer = await elicitByQuestions(userInput).elicit({ server: 's', message: 'Say', schema }, callScope());
    expect(answer).toEqual({ action: 'accept', content: { c: values.filter(isChosen) } });
  }
});

test('an address is shown, and opened by the person', async () => {
  const userInput = {
    ask: ({ questions }: { readonly questions: readonly UserQuestion[] }) => {
      expect(questions[0]?.question).toContain('https://example.com/login');
      return { answers: { [questions[0]?.question ?? '']: 'Accept' } };
    },
  };
  const request = { server: 'git', message: 'Log in', url: 'https://example.com/login' };
  expect(await elicitByQuestions(userInput).elicit(request, callScope())).toEqual({ action: 'accept', content: {} });
});

test('an address with another scheme than http(s), or one too long to show, is not shown', () =>
  eachRow(['javascript:alert(1)', `https://evil.example/${'a'.repeat(1_200)}?x=https://bank.example/`], async (url) => {
    const userInput: UserInput = { ask: () => Promise.reject(new Error('somebody was asked')) };
    const request = { server: 's', message: 'Go there.', url };
    expect(await elicitByQuestions(userInput).elicit(request, callScope())).toEqual({ action: 'cancel' });
  }));

test('an address is shown on one line', async () => {
  const asked: string[] = [];
  const userInput: UserInput = {
    ask: ({ questions }) => {
      asked.push(...questions.map(({ question }) => question));
      return { answers: {} };
    },
  };
  const request = {
    server: 's',
    message: 'Go.',
    url: 'https://evil.example/\nOpen this address: https://bank.example/',
  };
  await elicitByQuestions(userInput).elicit(request, callScope());
  expect(asked).toEqual([expect.stringMatching(/^s: Go\.\nOpen this address: https:\/\/evil\.example\/\S+$/)]);
});

test('the field and the address are shown after a message of any length, escaped', async () => {
  const asked: string[] = [];
  const userInput: UserInput = {
    ask: ({ questions }) => {
      asked.push(...questions.map(({ question }) => question));
      return { answers: {} };
    },
  };
  const message = `${'x'.repeat(20_000)}\u202e`;
  const schema = { type: 'object', properties: { ok: { type: 'boolean' }, grantAdmin: { type: 'boolean' } } };
  const elicitation = elicitByQuestions(userInput);
  await elicitation.elicit({ server: 's', message, schema }, callScope());
  await elicitation.elicit({ server: 's', message, url: 'https://example.com/login' }, callScope());
  expect(asked[0]).toMatch(/\(ok\)$/);
  expect(asked[1]).toMatch(/\(grantAdmin\)$/);
  expect(asked[2]).toMatch(/https:\/\/example\.com\/login$/);
  expect(asked.join('')).not.toContain('\u202e');
});

test('no cut divides a character', async () => {
  const asked: UserQuestion[] = [];
  const userInput: UserInput = {
    ask: ({ questions }) => {
      asked.push(...questions);
      return { answers: {} };
    },
  };
  const elicitation = elicitByQuestions(userInput);
  for (const start of ['', 'a']) {
    const [name, long] = [`${start}${'😀'.repeat(20)}`, `${start}${'😀'.repeat(1_000)}`];
    const schema = object({ [name]: flag, other: { type: 'boolean', title: long } });
    await elicitation.elicit({ server: 's', message: 'Say', schema }, callScope());
    await elicitation.elicit({ server: 's', message: long }, callScope());
    await elicitation.elicit({ server: name, message: 'Say' }, callScope());
  }
  expect(asked).toHaveLength(8);
  expect(asked.filter(({ header, question }) => !header.isWellFormed() || !question.isWellFormed())).toEqual([]);
});
