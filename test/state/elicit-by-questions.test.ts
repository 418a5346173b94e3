import { expect, test } from 'vitest';
import type { UserQuestion } from '../../src/host/planning/user-input.js';
import { elicitByQuestions } from '../../src/state/planning/elicit-by-questions.js';
import { callScope } from '../support/call-scope.js';

/** What a server hears when a person gives these answers, in order; undefined skips. */
async function elicited(request: object, ...answers: readonly (string | undefined)[]) {
  const asked: UserQuestion[] = [];
  const elicitation = elicitByQuestions({
    ask: ({ questions }) => {
      asked.push(...questions);
      const said = questions.flatMap(({ question }, index) =>
        answers[index] === undefined ? [] : [[question, answers[index] ?? ''] as const],
      );
      return { answers: Object.fromEntries(said) };
    },
  });
  const answer = await elicitation.elicit({ server: 'a', message: 'Go on?', ...request }, callScope());
  return { asked, answer };
}

const schema = (properties: object) => ({ schema: { type: 'object', properties } });
const colour = { type: 'string', enum: ['red', 'blue'], enumNames: ['Red', 'Blue, dark'] };

test.each([
  ['a confirmation', {}, ['Yes'], { action: 'accept' }],
  ['a confirmation that is refused', {}, ['No'], { action: 'decline' }],
  ['no answer', {}, [undefined], { action: 'cancel' }],
  ['words of their own', {}, ['maybe'], { action: 'cancel' }],
  ['yes or no', schema({ ok: { type: 'boolean' } }), ['No'], { action: 'accept', content: { ok: false } }],
  ['a choice', schema({ colour }), ['Blue; dark'], { action: 'accept', content: { colour: 'blue' } }],
  [
    'named choices',
    schema({
      one: {
        type: 'string',
        oneOf: [
          { const: 'a', title: 'A' },
          { const: 'b', title: 'B' },
        ],
      },
    }),
    ['B'],
    { action: 'accept', content: { one: 'b' } },
  ],
  [
    'several of a list',
    schema({ many: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } } }),
    ['a, c'],
    { action: 'accept', content: { many: ['a', 'c'] } },
  ],
  ['one of two left open', schema({ ok: { type: 'boolean' }, colour }), ['Yes'], { action: 'cancel' }],
  [
    'names that objects inherit',
    JSON.parse('{"schema":{"properties":{"__proto__":{"type":"boolean"}}}}'),
    ['Yes'],
    { action: 'accept', content: JSON.parse('{"__proto__":true}') },
  ],
])('%s', async (_, request, answers, expected) => {
  expect((await elicited(request, ...answers)).answer).toEqual(expected);
});

test.each([
  ['text', { name: { type: 'string' } }],
  ['a number', { n: { type: 'integer' } }],
  ['five choices', { n: { enum: ['1', '2', '3', '4', '5'] } }],
  ['one choice', { n: { enum: ['1'] } }],
  ['choices that look the same', { n: { enum: ['1', '2'], enumNames: ['x', 'x'] } }],
  ['choices that are no text', { n: { enum: [1, 2] } }],
  ['five fields', Object.fromEntries('abcde'.split('').map((name) => [name, { type: 'boolean' }]))],
  ['nonsense', { n: null }],
])('%s is declined without asking', async (_, properties) => {
  const { asked, answer } = await elicited(schema(properties), 'Yes');
  expect([asked, answer]).toEqual([[], { action: 'decline' }]);
});

test('the person sees who asks, and what is hidden', async () => {
  const { asked } = await elicited({ server: 'a\u202eb', message: 'one\ntwo', url: 'https://x.example/\u200b' }, 'Yes');
  expect(asked).toMatchObject([
    { question: 'MCP server a\\u{202e}b: one\\ntwo Have you opened https://x.example/\\u{200b}?', header: 'Confirm' },
  ]);
});
