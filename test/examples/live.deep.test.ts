import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Keyboard } from '../../examples/agent-loop/ask-at-terminal.js';
import { findProvider, runLive } from '../../examples/agent-loop/live.js';
import { compiled } from '../support/compiled-programs.js';
import { eachRow } from '../support/each-row.js';
import { MemoryScreen } from './memory-screen.js';
import { type CannedAnswer, ModelServer } from './model-server.js';
import { runProgram } from './run-example.js';

const script = compiled('examples/agent-loop');
const key = ['test', 'key', '12345678'].join('-');

let root = '';
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-test-')));
  await writeFile(join(root, 'notes.txt'), 'one\ntwo\n');
});
afterEach(() => rm(root, { recursive: true }));

const readCall = () => ({ file_path: join(root, 'notes.txt') });
const writeCall = () => ({ file_path: join(root, 'new.txt'), content: 'three\n' });

interface LiveRun {
  readonly env: NodeJS.ProcessEnv;
  readonly task?: string;
  readonly allow?: readonly string[];
  readonly maxTurns?: number;
  readonly keyboard?: Keyboard;
  readonly screen?: MemoryScreen;
}

/** A live run inside this process, with the provider in `env`, by default without a person at the keyboard. */
async function live({
  env,
  task = 'Do it.',
  allow = [],
  maxTurns = 9,
  keyboard = new PassThrough(),
  screen = new MemoryScreen(),
}: LiveRun) {
  const provider = findProvider(env);
  if (provider === undefined) throw new Error('the environment has no key');
  const outcome = await runLive(
    { root, task, provider, allow, maxTurns, keyboard },
    screen.screen,
    new AbortController().signal,
  );
  return { ...outcome, printed: screen.text };
}

describe('against Anthropic', () => {
  const message = (content: readonly object[], stop_reason: string): CannedAnswer => ({
    body: { id: 'msg_1', type: 'message', role: 'assistant', content, stop_reason },
  });
  const toolUse = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
  const anthropic = (server: ModelServer) => ({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url });
  const writesOnce = () => [
    message([toolUse('toolu_1', 'Write', writeCall())], 'tool_use'),
    message([{ type: 'text', text: 'Well.' }], 'end_turn'),
  ];

  test('the program sends the tools, runs the calls and returns one result each', async () => {
    const asked = [
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'text', text: 'I look.' },
      toolUse('toolu_1', 'Read', readCall()),
      toolUse('toolu_2', 'Write', writeCall()),
    ];
    await using server = await ModelServer.start([
      { status: 529, headers: { 'retry-after': '0' }, body: { type: 'error', error: { type: 'overloaded_error' } } },
      message(asked, 'tool_use'),
      message([{ type: 'text', text: 'There are two lines.' }], 'end_turn'),
    ]);
    const { exitCode, stdout, stderr } = await runProgram(script, ['--live', '--dir', root, 'How many', 'lines?'], {
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_BASE_URL: `${server.url}/`,
      ANTHROPIC_MODEL: 'claude-test',
    });

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('There are two lines.');
    expect(stdout).toContain('denied: nobody can be asked');
    expect(server.requests).toHaveLength(3);
    const [, first, second] = server.requests;
    expect(first).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    });
    expect(first?.body).toMatchObject({
      model: 'claude-test',
      messages: [{ role: 'user', content: 'How many lines?' }],
    });
    expect(first?.body).not.toHaveProperty('stream');
    const tools = first?.body.tools ?? [];
    expect(tools.map((tool) => tool.name)).toEqual(
      expect.arrayContaining(['Bash', 'Read', 'Write', 'Edit', 'Glob', 'Grep']),
    );
    expect(tools.find((tool) => tool.name === 'Read')?.input_schema).toMatchObject({
      type: 'object',
      required: ['file_path'],
    });
    expect(second?.body).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant', content: asked },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: [{ type: 'text', text: expect.stringMatching(/^1\tone\n2\ttwo/) }],
            },
            {
              type: 'tool_result',
              tool_use_id: 'toolu_2',
              content: [{ text: expect.stringMatching(/^Error: (?!Error)/) }],
              is_error: true,
            },
          ],
        },
      ],
    });
    await expect(readFile(join(root, 'new.txt'))).rejects.toThrow('ENOENT');
  });

  test('calls that rules allow run', async () => {
    await using server = await ModelServer.start(writesOnce());
    expect(await live({ env: anthropic(server), allow: ['Write'] })).toMatchObject({
      ending: 'done',
      results: [{ ok: true }],
    });
    expect(await readFile(join(root, 'new.txt'), 'utf8')).toBe('three\n');
  });

  test.each([
    ['y', true, undefined],
    ['always', true, undefined],
    ['n', false, 'refused'],
    ['', false, 'refused'],
    ['not in this folder', false, 'The user said no: not in this folder'],
  ])('the person at the terminal is asked and answers %j', async (answer, ok, said) => {
    await using server = await ModelServer.start(writesOnce());
    const keyboard = Object.assign(new PassThrough(), { isTTY: true });
    const screen = new MemoryScreen();
    screen.onAsk(() => keyboard.write(`${answer}\n`));
    const { results, printed } = await live({ env: anthropic(server), keyboard, screen });
    expect(results).toMatchObject([{ ok }]);
    expect(printed).toMatch(/\? Write .*new\.txt/);
    expect(printed).toContain('allow? [y]es / [a]lways ');
    if (said !== undefined) expect(results[0]?.output).toContain(said);
  });

  test('a closed terminal denies', async () => {
    await using server = await ModelServer.start(writesOnce());
    const keyboard = Object.assign(new PassThrough(), { isTTY: true });
    const screen = new MemoryScreen();
    screen.onAsk(() => keyboard.end());
    expect(await live({ env: anthropic(server), keyboard, screen })).toMatchObject({
      ending: 'done',
      results: [{ ok: false }],
    });
  });

  test('calls of a cut answer do not run', async () => {
    await using server = await ModelServer.start([message([toolUse('toolu_1', 'Write', writeCall())], 'max_tokens')]);
    expect(await live({ env: anthropic(server), allow: ['Write'] })).toMatchObject({
      ending: 'cut short: max_tokens',
      results: [],
    });
    await expect(readFile(join(root, 'new.txt'))).rejects.toThrow('ENOENT');
  });

  test('the loop stops after the given number of turns', async () => {
    const again = message([toolUse('toolu_1', 'Read', readCall())], 'tool_use');
    await using server = await ModelServer.start([again, again, again, again]);
    expect(await live({ env: anthropic(server), maxTurns: 2 })).toMatchObject({ ending: 'too many turns' });
    expect(server.requests).toHaveLength(3);
  });

  test('the key of the provider never reaches the model, even if a file contains it', async () => {
    await writeFile(join(root, 'notes.txt'), `the key is ${key}\n`);
    await using server = await ModelServer.start([
      message([toolUse('toolu_1', 'Read', readCall())], 'tool_use'),
      message([{ type: 'text', text: 'I see.' }], 'end_turn'),
    ]);
    const { results, printed } = await live({ env: anthropic(server) });
    expect(results[0]?.output).toContain('the key is [REDACTED]');
    expect(JSON.stringify([server.requests.map(({ body }) => body), printed])).not.toContain(key);
  });

  test('a refusal of the server is reported in one sentence', async () => {
    await using server = await ModelServer.start([{ status: 401, body: { error: { message: 'invalid x-api-key' } } }]);
    await expect(live({ env: anthropic(server) })).rejects.toThrow(
      /^127\.0\.0\.1:\d+ answered 401: .*invalid x-api-key.* \(tried 1 time\)$/,
    );
  });

  test('a server that stays busy is given up', async () => {
    const busy = { status: 500, headers: { 'retry-after': '0' }, body: {} };
    await using server = await ModelServer.start([busy, busy, busy, busy, busy]);
    await expect(live({ env: anthropic(server) })).rejects.toThrow('(tried 4 times)');
    expect(server.requests).toHaveLength(4);
  });
});

describe('against an OpenAI-compatible server', () => {
  const completion = (message: object, finish_reason: string): CannedAnswer => ({
    body: {
      id: 'c',
      object: 'chat.completion',
      choices: [{ index: 0, finish_reason, message: { role: 'assistant', content: null, ...message } }],
    },
  });
  const toolCall = (id: string, name: string, text: string) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  });
  const openAI = (server: ModelServer) => ({
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: `${server.url}/v1`,
    OPENAI_MODEL: 'gpt-test',
  });

  test('the loop sends the functions, runs the calls and returns one message each', async () => {
    const tool_calls = [
      toolCall('call_a', 'Read', JSON.stringify(readCall())),
      toolCall('call_b', 'Read', '{"file_path": "/cut'),
      toolCall('call_c', 'Raed', '{}'),
    ];
    await using server = await ModelServer.start([
      { status: 429, headers: { 'retry-after': '0' }, body: {} },
      { status: 503, headers: { 'retry-after': '0' }, body: {} },
      completion({ tool_calls }, 'tool_calls'),
      completion({ content: 'Two lines.' }, 'stop'),
    ]);
    const { ending, printed } = await live({ env: openAI(server), task: 'How many?' });

    expect(ending).toBe('done');
    expect(printed).toContain('Two lines.');
    expect(server.requests).toHaveLength(4);
    const [, , first, second] = server.requests;
    expect(first).toMatchObject({ path: '/v1/chat/completions', headers: { authorization: `Bearer ${key}` } });
    expect(first?.body).toMatchObject({
      model: 'gpt-test',
      messages: [{ role: 'system' }, { role: 'user', content: 'How many?' }],
    });
    expect(first?.body.tools).toContainEqual({
      type: 'function',
      function: {
        name: 'Read',
        description: expect.any(String),
        parameters: expect.objectContaining({ type: 'object' }),
      },
    });
    expect(second?.body.messages.slice(2)).toEqual([
      { role: 'assistant', content: null, tool_calls },
      { role: 'tool', tool_call_id: 'call_a', content: expect.stringMatching(/^1\tone\n2\ttwo/) },
      { role: 'tool', tool_call_id: 'call_b', content: expect.stringMatching(/^Error: (?!Error).*JSON/) },
      { role: 'tool', tool_call_id: 'call_c', content: expect.stringMatching(/^Error: unknown tool: Raed.*"Read"/) },
    ]);
  });

  test('a refusal is shown, and ends the loop', async () => {
    await using server = await ModelServer.start([completion({ refusal: 'I will not.' }, 'stop')]);
    const { ending, printed } = await live({ env: openAI(server) });
    expect(ending).toBe('done');
    expect(printed).toContain('I will not.');
  });

  const oddAnswers = [
    [{ choices: [] }, 'cut short: undefined'],
    [null, 'cut short: undefined'],
    [{ choices: [{ message: { content: 7, tool_calls: 'none' }, finish_reason: 'stop' }] }, 'done'],
  ] as const;
  test('an unusual answer does not end the program', () =>
    eachRow(oddAnswers, async ([body, ending]) => {
      await using server = await ModelServer.start([{ body }]);
      expect(await live({ env: openAI(server) })).toEqual({ ending, results: [], printed: '' });
    }));
});

describe('the provider', () => {
  const both = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o' };

  const found = [
    [both, undefined, { kind: 'anthropic', key: 'a', baseUrl: 'https://api.anthropic.com' }],
    [both, 'openai', { kind: 'openai', key: 'o', baseUrl: 'https://api.openai.com/v1' }],
    [
      { OPENAI_API_KEY: 'o', OPENAI_BASE_URL: 'http://127.0.0.1:1' },
      undefined,
      { kind: 'openai', baseUrl: 'http://127.0.0.1:1' },
    ],
  ] as const;
  test('is found in the environment', () =>
    eachRow(found, ([env, wanted, provider]) =>
      expect(findProvider(env, wanted, 'any')).toMatchObject({ ...provider, model: 'any' }),
    ));

  const missing = [
    [{}, undefined],
    [{ ANTHROPIC_API_KEY: '' }, undefined],
    [{ OPENAI_API_KEY: 'o' }, 'anthropic'],
    [both, 'another'],
  ] as const;
  test('is undefined without a key', () =>
    eachRow(missing, ([env, wanted]) => expect(findProvider(env, wanted)).toBeUndefined()));
});

describe('without its requirements the program', () => {
  test('says in one sentence that there is no key', async () =>
    expect(await runProgram(script, ['--live', '--dir', root, 'Hello?'])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'Set ANTHROPIC_API_KEY or OPENAI_API_KEY to run with a real model; plain `npm start` needs no key.\n',
    }));

  const rows = [
    ['no folder', ['--live', 'Hello?']],
    ['an option nobody knows', ['--life']],
  ] as const;
  test('prints its usage for invalid arguments', () =>
    eachRow(rows, async ([, argv]) => {
      const { exitCode, stderr } = await runProgram(script, argv, { ANTHROPIC_API_KEY: key });
      expect(exitCode).toBe(2);
      expect(stderr).toContain('Usage: npm start');
    }));
});
