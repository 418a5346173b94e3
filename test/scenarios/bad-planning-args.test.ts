import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConfigStore, createToolkit, type ToolCallResult, type Toolkit } from '../../src/index.js';
import { eachRow, table } from '../support/each-row.js';

/** A path of keys into an input. */
type Path = readonly (string | number)[];

const control = String.fromCharCode(27);
const proto = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');

/** The invalid values of a field with text for people, and the error. */
const badWords: readonly (readonly [what: string, value: unknown, said: RegExp])[] = [
  ['missing', undefined, /is missing/],
  ['of another type', ['x'], /expected a string/],
  ['empty', '', /expected text that is not empty/],
  ['blank', ' \n ', /expected text that is not empty/],
  ['too long', 'x'.repeat(20_000), /expected at most \d+ characters/],
  ['full of control characters', `a${control}[2K`, /without control characters and direction marks/],
  ['turned around', 'a\u202eb', /without control characters and direction marks/],
  ['an object with the keys of a prototype', proto, /expected a string/],
];
const badName = badWords.filter(([what]) => ['missing', 'of another type'].includes(what));
const badState = [badWords[0], ['another word', 'done', /expected one of "pending"/]] as const;
const badList = [badWords[0], ['no list', 'x', /expected an array/]] as const;
const emptyName = ['empty', '', /expected at least 1 characters/] as const;

const todo = { content: 'a', status: 'pending', activeForm: 'b' };
const option = { label: 'a', description: 'b' };
const question = { question: 'Which?', header: 'Which', options: [option, { ...option, label: 'b' }] };
const ask = { questions: [question] };
const task = { subject: 'a', description: 'b' };

type Bad = readonly (readonly [what: string, value: unknown, said: RegExp])[];

/**
 * Each field of each tool: a valid input, the path of the field, and its invalid values. A field with `?` is optional.
 */
const fields: readonly (readonly [tool: string, good: object, path: Path, bad: Bad, isOptional?: '?'])[] = [
  [
    'TodoWrite',
    { todos: [todo] },
    ['todos'],
    [...badList, ['too long', Array(201).fill(todo), /at most 200 entries/]] as Bad,
  ],
  ['TodoWrite', { todos: [todo] }, ['todos', 0, 'content'], badWords],
  ['TodoWrite', { todos: [todo] }, ['todos', 0, 'activeForm'], badWords],
  ['TodoWrite', { todos: [todo] }, ['todos', 0, 'status'], badState as Bad],
  [
    'AskUserQuestion',
    ask,
    ['questions'],
    [
      ...badList,
      ['empty', [], /expected at least 1 entries/],
      [
        'too long',
        Array.from({ length: 5 }, (_, index) => ({ ...question, question: `${index}?` })),
        /at most 4 entries/,
      ],
      ['the same twice', [question, question], /questions must differ/],
    ] as Bad,
  ],
  ['AskUserQuestion', ask, ['questions', 0, 'question'], badWords],
  ['AskUserQuestion', ask, ['questions', 0, 'header'], [...badWords, ['13 characters', 'x'.repeat(13), /at most 12/]]],
  [
    'AskUserQuestion',
    ask,
    ['questions', 0, 'options'],
    [
      ...badList,
      ['a single one', [option], /expected at least 2 entries/],
      ['too long', 'abcde'.split('').map((label) => ({ ...option, label })), /at most 4 entries/],
      ['the same twice', [option, option], /labels must differ/],
      ['the same but for what is hidden', [option, { ...option, label: 'A\u200b' }], /labels must differ/],
    ] as Bad,
  ],
  ['AskUserQuestion', ask, ['questions', 0, 'options', 1, 'label'], badWords],
  ['AskUserQuestion', ask, ['questions', 0, 'options', 1, 'description'], badWords],
  ['AskUserQuestion', ask, ['questions', 0, 'options', 1, 'preview'], badWords, '?'],
  ['AskUserQuestion', ask, ['questions', 0, 'multiSelect'], [['no boolean', 'maybe', /expected a boolean/]]],
  [
    'AskUserQuestion',
    ask,
    ['answers'],
    [
      ['no object', 'x', /expected a record|expected an object/],
      ['to another question', { 'What?': 'a' }, /each must name one of the questions/],
      ['named as what every object has', { constructor: 'a' }, /each must name one of the questions/],
      ['no text', { 'Which?': {} }, /expected a string/],
    ],
  ],
  ['TaskCreate', task, ['subject'], badWords],
  ['TaskCreate', task, ['description'], badWords],
  ['TaskCreate', task, ['activeForm'], badWords, '?'],
  ['TaskCreate', task, ['metadata'], [['no object', 'x', /expected/]]],
  ['TaskGet', { taskId: '1' }, ['taskId'], [...badName, emptyName]],
  ['TaskUpdate', { taskId: '1' }, ['taskId'], [...badName, emptyName]],
  ['TaskUpdate', { taskId: '1' }, ['subject'], badWords, '?'],
  ['TaskUpdate', { taskId: '1' }, ['description'], badWords, '?'],
  ['TaskUpdate', { taskId: '1' }, ['activeForm'], badWords, '?'],
  ['TaskUpdate', { taskId: '1' }, ['owner'], badWords, '?'],
  ['TaskUpdate', { taskId: '1' }, ['status'], badState as Bad, '?'],
  ['TaskUpdate', { taskId: '1' }, ['addBlocks'], badList as Bad, '?'],
  ['TaskUpdate', { taskId: '1' }, ['addBlockedBy'], [['no texts', [{}], /expected a string/]]],
  ['TaskUpdate', { taskId: '1' }, ['metadata'], [['a list', ['x'], /expected/]]],
  ['Config', { setting: 'theme' }, ['setting'], badWords],
  ['Config', { setting: 'theme' }, ['value'], [['no scalar', { a: 1 }, /expected a string, a number or a boolean/]]],
  ['List', { path: '/' }, ['path'], [...badName, emptyName]],
  [
    'List',
    { path: '/' },
    ['limit'],
    [
      ['too small', 0, /expected at least 1/],
      ['no number', 'many', /expected a /],
    ],
  ],
  ['List', { path: '/' }, ['glob'], [['of another type', {}, /expected a string/], emptyName]],
];

/** A copy of an input with one field replaced. */
function withField(input: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const copy = Array.isArray(input) ? [...input] : { ...(input as object) };
  const inner = (copy as Record<string | number, unknown>)[key];
  const changed = withField(inner, rest, value);
  if (changed === undefined) delete (copy as Record<string | number, unknown>)[key];
  else (copy as Record<string | number, unknown>)[key] = changed;
  return copy;
}

let toolkit: Toolkit;
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'toolwright-test-'));
  toolkit = createToolkit({
    root,
    permissions: 'bypassPermissions',
    features: { tasks: true },
    hosts: {
      userInput: { ask: () => ({ answers: {} }) },
      config: createConfigStore({ settings: { theme: { type: 'string', default: '', description: 'Colours' } } }),
    },
  });
});
afterAll(async () => {
  await toolkit.dispose();
  rmSync(root, { recursive: true });
});

async function call(name: string, input: unknown): Promise<ToolCallResult | undefined> {
  const { results } = await toolkit.execute([{ id: 'c', name, input }]);
  expect(results).toHaveLength(1);
  return results[0];
}

test('an invalid field is refused by its name with an example', () =>
  eachRow(
    fields.flatMap(([tool, good, path, bad, isOptional]) =>
      bad
        .filter(([what]) => isOptional === undefined || what !== 'missing')
        .map(([what, value, said]) => ({
          name: `${path.join('.')} of ${tool}: ${what}`,
          tool,
          good,
          path,
          value,
          said,
        })),
    ),
    async ({ tool, good, path, value, said }) => {
      const result = await call(tool, withField(good, path, value));
      expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
      expect(result?.output).toMatch(said);
      expect(result?.output).toContain(`- ${path.join('.')}`);
      const [, example = ''] = /\nExample: (.*)$/.exec(result?.output ?? '') ?? [];
      expect(toolkit.registry.get(tool)?.examples).toEqual([JSON.parse(example)]);
      expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined();
    },
  ));

table(['TodoRead', 'TaskList', 'EnterPlanMode'])('a tool without fields drops unknown fields', async (name) => {
  expect(await call(name, proto)).toMatchObject({ ok: true });
});
