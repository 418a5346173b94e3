import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compiled } from '../support/compiled-programs.js';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { codeOf, servedToolkit, textOf, token } from './served-toolkit.js';

/** The program `toolwright mcp`, and the official client connected to it. */
async function connect(words: readonly string[], capabilities = {}, answer?: () => object) {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.txt'), 'hello\n');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [compiled('src/bin'), 'mcp', '--root', root, ...words],
    stderr: 'pipe',
  });
  const problems: Error[] = [];
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  if (answer !== undefined) client.setRequestHandler(ElicitRequestSchema, () => answer() as never);
  client.onerror = (problem) => problems.push(problem);
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input });
  return { root, client, transport, problems, call };
}

describe('toolwright mcp', () => {
  test('offers the read-only tools, and runs them', async () => {
    const { root, client, call, problems } = await connect([]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['Glob', 'Grep', 'List', 'Read']);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    const path = join(root, 'a.txt');
    expect(textOf(await call('Read', { file_path: path }))).toBe('1\thello');
    expect(textOf(await call('List', { path: root }))).toBe('a.txt');
    expect(textOf(await call('Glob', { pattern: '*' }))).toBe(path);
    expect(problems).toEqual([]);
  });

  test('denies tools that it does not offer', async () => {
    const { root, call } = await connect([]);
    const written = await call('Write', { file_path: join(root, 'b.txt'), content: '' });
    expect(written.isError).toBe(true);
    expect(codeOf(written)).toBe('not_allowed');
    expect(codeOf(await call('Read', { file_path: '/etc/passwd' }))).toBe('path_outside_root');
  });

  test('rules add tools for the calls that they match', async () => {
    const { root, client, call } = await connect(['--allow', 'Edit(src/**)', 'Bash(mkdir *)']);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Bash', 'Edit', 'Write', 'NotebookEdit']));
    expect(names).not.toContain('WebFetch');
    mkdirSync(join(root, 'src'));
    const write = (name: string) => call('Write', { file_path: join(root, name), content: 'x' });
    expect((await write('src/b.txt')).isError).toBeUndefined();
    expect(codeOf(await write('b.txt'))).toBe('permission_denied');
    expect((await call('Bash', { command: 'mkdir made' })).isError).toBeUndefined();
    expect(codeOf(await call('Bash', { command: 'touch c.txt' }))).toBe('permission_denied');
  });

  test('an error names its cause, and progress is sent at once', async () => {
    const { root, client, call } = await connect(['--allow', 'Bash']);
    expect(codeOf(await call('Read', { file_path: join(root, 'none.txt') }))).toBe('file_not_found');
    expect(codeOf(await call('Read', {}))).toBe('invalid_input');
    const heard: (string | undefined)[] = [];
    const onprogress = ({ message }: { readonly message?: string | undefined }) => {
      heard.push(message);
      if (message === 'first') writeFileSync(join(root, 'heard'), '');
    };
    const command = 'echo first; until [ -e heard ]; do sleep 0.01; done; echo second';
    const told = await client.callTool({ name: 'Bash', arguments: { command } }, undefined, { onprogress });
    expect(textOf(told)).toBe('first\nsecond\n');
    expect(heard).toContain('first');
  });

  test('a cancelled call ends, and the next one gets a result', async () => {
    const { root, client, call } = await connect(['--allow', 'Bash']);
    const file = join(root, 'pid');
    const controller = new AbortController();
    const input = { name: 'Bash', arguments: { command: 'echo $$ > pid; sleep 1000' } };
    const running = client.callTool(input, undefined, { signal: controller.signal });
    const refused = expect(running).rejects.toThrow();
    const written = () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
    await until(() => written() > 0);
    controller.abort();
    await refused;
    await until(() => !isAlive(written()));
    expect(textOf(await call('Read', { file_path: join(root, 'a.txt') }))).toBe('1\thello');
  });

  test('asks the person at the client if possible', async () => {
    const asked: object[] = [];
    const answer = () => {
      asked.push({});
      return { action: 'accept', content: { decision: 'allow-once' } };
    };
    const { call } = await connect(['--allow', 'Bash(echo *)'], { elicitation: {} }, answer);
    expect((await call('Bash', { command: 'touch c.txt' })).isError).toBeUndefined();
    await call('Bash', { command: 'echo hi' });
    expect(asked.length).toBe(1);
  });

  test('over HTTP prints its address and token, and ends on a signal', async () => {
    const root = temporaryFolder();
    const env = { ...process.env, TOOLWRIGHT_MCP_TOKEN: token };
    const program = spawn(process.execPath, [compiled('src/bin'), 'mcp', '--root', root, '--port', '0'], { env });
    onTestFinished(() => void program.kill('SIGKILL'));
    const exited = once(program, 'exit');
    const out = text(program.stdout);
    const lines: string[] = [];
    const reader = createInterface({ input: program.stderr }).on('line', (line) => lines.push(line));
    await until(() => lines.length === 2);
    reader.close();
    expect(lines[1]).toBe(`Authorization: Bearer ${token}`);
    const clientWith = async (headers: Readonly<Record<string, string>>) => {
      const client = new Client({ name: 'test', version: '1' });
      const transport = new StreamableHTTPClientTransport(new URL(lines[0] ?? ''), { requestInit: { headers } });
      await client.connect(transport as Parameters<Client['connect']>[0]);
      onTestFinished(() => client.close());
      return client;
    };
    const authorization = `Bearer ${token}`;
    await expect(clientWith({ authorization: 'Bearer of-something-else' })).rejects.toThrow(/Unauthorized/);
    await expect(clientWith({ authorization, origin: 'https://evil.example' })).rejects.toThrow(/Origin/);
    const clients = await Promise.all([clientWith({ authorization }), clientWith({ authorization })]);
    writeFileSync(join(root, 'a.txt'), 'hello\n');
    const read = { name: 'Read', arguments: { file_path: join(root, 'a.txt') } };
    const answers = await Promise.all(clients.flatMap((client) => [client.listTools(), client.callTool(read)]));
    for (const [at, answer] of answers.entries())
      if (at % 2 === 0) expect(answer).toMatchObject({ tools: { length: 4 } });
      else expect(textOf(answer)).toBe('1\thello');
    for (const client of clients) await client.close();
    program.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(await out).toBe('');
  });

  const mistakes = [
    [['--allow', 'Raed'], /Did you mean/],
    [['--port', 'http'], /port takes a port/],
    [['Edit(a)'], /unknown command|--allow/],
  ] as const;
  test('invalid arguments of the program are reported', () =>
    eachRow(mistakes, async ([words, message]) => {
      const program = spawn(process.execPath, [compiled('src/bin'), 'mcp', '--root', temporaryFolder(), ...words]);
      const [said, [code]] = await Promise.all([text(program.stderr), once(program, 'exit')]);
      expect(code).toBe(2);
      expect(said).toMatch(message);
    }));

  test('null for arguments means none', async () => {
    const { client } = await connect([]);
    const served = await servedToolkit();
    const rows = ['Glob', 'Grep', 'List', 'Read', 'Nothing'];
    for (const one of [client, await served.connect()])
      await eachRow(rows, async (name) => {
        const [none, ...others] = await Promise.all(
          [undefined, null, {}].map((given) => one.callTool({ name, arguments: given as never })),
        );
        expect(none).toMatchObject({ content: [{ type: 'text' }] });
        for (const other of others) expect(other).toEqual(none);
      });
    await expect(client.callTool({ name: 'Glob', arguments: [] as never })).rejects.toThrow('received array');
  });

  test('a line over the limit gets an error for its id, and the next line is processed', async () => {
    const program = spawn(process.execPath, [compiled('src/bin'), 'mcp', '--root', temporaryFolder()]);
    onTestFinished(() => void program.kill('SIGKILL'));
    const answers: {
      readonly id: unknown;
      readonly error?: { readonly message: string };
      readonly result?: unknown;
    }[] = [];
    createInterface({ input: program.stdout }).on('line', (line) => answers.push(JSON.parse(line)));
    const long = JSON.stringify({ name: 'Glob', arguments: { pattern: 'y'.repeat(20_000_000) } });
    const rows = [
      [`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${long}}`, 1],
      [`{"method":"tools/call","params":${long},"jsonrpc":"2.0","id":2}`, 2],
      [`{"jsonrpc":"2.0","method":"tools/call","id":"three","params":${long}}`, 'three'],
      [`{"jsonrpc":"2.0","method":"tools/call","params":${long},"id":4}`, 4],
      [`{ "id" : 5, "jsonrpc" : "2.0", "method" : "tools/call", "params" : ${long} }`, 5],
      ['y'.repeat(20_000_001), null],
      [`{"jsonrpc":"2.0","params":${long.replace(/}$/, ',"id":6}')},"method":"x"}`, null],
    ] as const;
    await eachRow(
      rows,
      async ([line, id]) => {
        const [before, ping] = [answers.length, JSON.stringify({ jsonrpc: '2.0', id: 100, method: 'ping' })];
        program.stdin.write(`${line}\n${ping}\n`);
        await until(() => answers.length === before + 2);
        expect(answers.slice(before)).toEqual([
          { jsonrpc: '2.0', id, error: { code: -32_600, message: expect.stringContaining('20000000 bytes') } },
          { jsonrpc: '2.0', id: 100, result: {} },
        ]);
      },
      ([, id]) => id,
    );
    expect(program.exitCode).toBe(null);
  });

  test('ends with its running calls when the client disconnects', async () => {
    const { root, client, transport, call } = await connect(['--allow', 'Bash']);
    const { pid } = transport;
    const file = join(root, 'pid');
    const running = call('Bash', { command: 'echo $$ > pid; sleep 1000' }).catch(() => 'closed');
    const written = () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
    await until(() => written() > 0);
    const child = written();
    await client.close();
    expect(await running).toBe('closed');
    for (const one of [pid ?? 0, child]) await until(() => !isAlive(one));
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
