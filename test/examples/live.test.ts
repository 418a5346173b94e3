import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CannedAnswer, ModelServer } from './model-server.js';
import { runProgram } from './run-example.js';

const script = fileURLToPath(new URL('../../examples/agent-loop.ts', import.meta.url));
const key = ['test', 'key', '12345678'].join('-');

let root = '';
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-test-')));
  await writeFile(join(root, 'notes.txt'), 'one\ntwo\n');
});
afterEach(() => rm(root, { recursive: true }));

const live = (env: NodeJS.ProcessEnv, ...argv: string[]) => runProgram(script, ['--live', '--dir', root, ...argv], env);
const readCall = () => ({ file_path: join(root, 'notes.txt') });
const writeCall = () => ({ file_path: join(root, 'new.txt'), content: 'three\n' });

describe('against Anthropic', () => {
  const message = (content: readonly object[], stop_reason: string): CannedAnswer => ({
    body: { id: 'msg_1', type: 'message', role: 'assistant', content, stop_reason },
  });
  const toolUse = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });

  test('sends the tools, runs the calls and hands back one result each', async () => {
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
    const { exitCode, stdout, stderr } = await live(
      { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: `${server.url}/`, ANTHROPIC_MODEL: 'claude-test' },
      'How many lines?',
    );

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('There are two lines.');
    expect(stdout).toContain('denied: nobody can be asked');
    expect(server.requests).toHaveLength(3);
    const [, first, second] = server.requests;
    expect(first).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' } });
    expect(first?.body).toMatchObject({ model: 'claude-test', messages: [{ role: 'user', content: 'How many lines?' }] });
    expect(first?.body).not.toHaveProperty('stream');
    const tools = first?.body.tools ?? [];
    expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(['Bash', 'Read', 'Write', 'Edit', 'Glob', 'Grep']));
    expect(tools.find((tool) => tool.name === 'Read')?.input_schema).toMatchObject({ type: 'object', required: ['file_path'] });
    expect(second?.body).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant', content: asked },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: expect.stringMatching(/^1\tone\n2\ttwo/) }] },
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

  test('lets run what --allow says', async () => {
    await using server = await ModelServer.start([
      message([toolUse('toolu_1', 'Write', writeCall())], 'tool_use'),
      message([{ type: 'text', text: 'Written.' }], 'end_turn'),
    ]);
    const { exitCode } = await live({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url }, '--allow', 'Write', 'Write three.');
    expect(exitCode).toBe(0);
    expect(await readFile(join(root, 'new.txt'), 'utf8')).toBe('three\n');
  });

  test('does not run calls of an answer that was cut short', async () => {
    await using server = await ModelServer.start([message([toolUse('toolu_1', 'Write', writeCall())], 'max_tokens')]);
    const { exitCode, stderr } = await live({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url }, '--allow', 'Write', 'Write.');
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'Stopped: cut short: max_tokens.\n' });
    await expect(readFile(join(root, 'new.txt'))).rejects.toThrow('ENOENT');
  });

  test('stops after the given number of turns', async () => {
    const again = message([toolUse('toolu_1', 'Read', readCall())], 'tool_use');
    await using server = await ModelServer.start([again, again, again, again]);
    const { exitCode, stderr } = await live(
      { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url },
      '--max-turns',
      '2',
      'Read for ever.',
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'Stopped: too many turns.\n' });
    expect(server.requests).toHaveLength(3);
  });

  test('says in one line what the server refused', async () => {
    await using server = await ModelServer.start([{ status: 401, body: { error: { message: 'invalid x-api-key\u001b[2J' } } }]);
    const { exitCode, stderr } = await live({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url }, 'Hello.');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^127\.0\.0\.1:\d+ answered 401: .*invalid x-api-key.* \(tried 1 time\)\n$/);
    expect(stderr).not.toContain('\u001b');
    expect(stderr).not.toContain(key);
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
  const toolCall = (id: string, name: string, args: string) => ({ id, type: 'function', function: { name, arguments: args } });

  test('sends the functions, runs the calls and hands back one message each', async () => {
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
    const { exitCode, stdout, stderr } = await live(
      { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${server.url}/v1` },
      '--model',
      'gpt-test',
      'How many?',
    );

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('Two lines.');
    expect(server.requests).toHaveLength(4);
    const [, , first, second] = server.requests;
    expect(first).toMatchObject({ path: '/v1/chat/completions', headers: { authorization: `Bearer ${key}` } });
    expect(first?.body).toMatchObject({ model: 'gpt-test', messages: [{ role: 'system' }, { role: 'user', content: 'How many?' }] });
    expect(first?.body.tools).toContainEqual({
      type: 'function',
      function: { name: 'Read', description: expect.any(String), parameters: expect.objectContaining({ type: 'object' }) },
    });
    expect(second?.body.messages.slice(2)).toEqual([
      { role: 'assistant', content: null, tool_calls },
      { role: 'tool', tool_call_id: 'call_a', content: expect.stringMatching(/^1\tone\n2\ttwo/) },
      { role: 'tool', tool_call_id: 'call_b', content: expect.stringMatching(/^Error: (?!Error).*JSON/) },
      { role: 'tool', tool_call_id: 'call_c', content: expect.stringMatching(/^Error: unknown tool: Raed.*"Read"/) },
    ]);
  });

  test('shows a refusal and ends', async () => {
    await using server = await ModelServer.start([completion({ refusal: 'I will not.' }, 'stop')]);
    const { exitCode, stdout } = await live({ OPENAI_API_KEY: key, OPENAI_BASE_URL: server.url }, 'Do it.');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('I will not.');
  });

  test('is chosen over Anthropic by --provider', async () => {
    await using server = await ModelServer.start([completion({ content: 'Hello.' }, 'stop')]);
    const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: 'http://127.0.0.1:9', OPENAI_API_KEY: key, OPENAI_BASE_URL: server.url };
    expect(await live(env, '--provider', 'openai', 'Hello?')).toMatchObject({ exitCode: 0 });
  });
});

describe('without what it needs', () => {
  test('says in one sentence that there is no key', async () => {
    expect(await live({}, 'Hello?')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'Set ANTHROPIC_API_KEY or OPENAI_API_KEY to run with a real model; plain `npm start` needs no key.\n',
    });
  });

  test.each([
    ['no task', ['--live', '--dir', tmpdir()]],
    ['no folder', ['--live', 'Hello?']],
    ['a folder that is not there', ['--live', '--dir', join(tmpdir(), 'is', 'not', 'there'), 'Hello?']],
    ['no number of turns', ['--live', '--dir', tmpdir(), '--max-turns', 'many', 'Hello?']],
    ['an option nobody knows', ['--life']],
  ])('explains its usage for %s', async (_, argv) => {
    const { exitCode, stderr } = await runProgram(script, argv, { ANTHROPIC_API_KEY: key });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Usage: npm start');
  });
});
