import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { ToolEvent } from 'toolwright';
import {
  adminApi,
  aesGcmBox,
  bearerTokens,
  changeBus,
  customTools,
  fromPglite,
  managedStores,
  migrate,
} from 'toolwright/managed';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

const secrets = {
  env: ['pale', 'violet', 'Umbrella', '77'].join('-'),
  header: ['round', 'Copper', 'lantern', '31'].join('-'),
  override: ['seven', 'quiet', 'Rivers', '12'].join('-'),
};

/** The secrets in a text or bytes, plain or in base64. */
function foundIn(...texts: readonly (string | Buffer)[]): readonly string[] {
  const forms = Object.entries(secrets).flatMap(([name, secret]) => [
    [name, secret],
    [`${name} in base64`, Buffer.from(secret).toString('base64').slice(0, -4)],
  ]);
  return forms.flatMap(([name = '', form = '']) => (texts.some((text) => text.includes(form)) ? [name] : []));
}

function filesBelow(folder: string): readonly Buffer[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isFile() ? [readFileSync(path)] : []));
}

test('no secret of a tool or a server is in the database, its log, warnings, events, results, answers or files', async () => {
  const said: unknown[] = [];
  const methods = [console, console, console, process] as const;
  for (const [at, name] of (['log', 'warn', 'error', 'emitWarning'] as const).entries()) {
    const spy = vi.spyOn(methods[at] as Console & { emitWarning(): void }, name);
    spy.mockImplementation((...words: unknown[]) => void said.push(words));
    onTestFinished(() => spy.mockRestore());
  }
  const [root, folder] = [temporaryFolder(), temporaryFolder()];
  await using db = new PGlite(folder);
  const client = fromPglite(db);
  await migrate(client);
  const box = aesGcmBox({ keys: { first: new Uint8Array(32).fill(7) }, current: 'first' });
  const stores = managedStores(client, { box });
  const env = { NOTE: secrets.env };
  const parameters = { type: 'object', properties: { x: { type: 'string' } } } as const;
  const show = `printf '%s,' "$NOTE" {{.x}}; env | grep NOTE; printf %s "$NOTE" | base64; echo "$NOTE" >&2; echo "$NOTE" > kept`;
  await stores.customTools.put({ name: 'show', description: 'Shows it.', parameters, command: show, env });
  await stores.customTools.put({
    name: 'fail',
    description: 'Fails.',
    parameters,
    command: `${show}; sleep 30`,
    env,
    timeout_seconds: 1,
  });
  const config = { url: 'https://example.com/mcp', headers: { authorization: `Bearer ${secrets.header}` } };
  const { id: server } = await stores.mcp.putServer({ name: 'notes', config });
  await stores.mcp.grantAgent(server, 'one', { configOverrides: { headers: { 'x-key': secrets.override } } });

  const problems: string[] = [];
  const bus = changeBus(client);
  const onProblem = (name: string, reason: string) => problems.push(`${name}: ${reason}`);
  await using tools = customTools({ store: stores.customTools, bus, onProblem });
  const events: ToolEvent[] = [];
  const toolkit = testToolkit({
    ...{
      root,
      permissions: 'bypassPermissions',
      registryFor: tools.registryFor,
      onEvent: (event) => events.push(event),
    },
    ...{ suspensionSecret: 'a secret of thirty-two characters', deadLetters: stores.deadLetters },
    hosts: { suspensions: stores.suspensions, todos: stores.todos, tasks: stores.tasks, config: stores.config },
  });
  const calls = ['show', 'fail'].map((name) => ({ id: name, name, input: { x: secrets.env } }));
  const run = await toolkit.execute(calls, { approvals: 'suspend' });
  expect(run).toMatchObject({ status: 'done', results: [{ ok: true }, { ok: false }] });
  const [call = { id: '', name: '', input: {} }] = calls;
  said.push(run, events, await toolkit.definitionsFor(), await toolkit.decide(call), await stores.deadLetters.list());
  const { fetch } = await adminApi({ stores, toolkit, authorize: bearerTokens('a-token-of-some-length') });
  const answered = async (path: string, body?: object) => {
    const headers = { authorization: 'Bearer a-token-of-some-length' };
    const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(new Request(`http://api/v1/${path}`, init));
    expect([path, answer.status]).toEqual([path, 200]);
    said.push(await answer.text(), [...answer.headers]);
  };
  for (const path of ['custom-tools', 'mcp/servers', 'mcp/requests', `mcp/servers/${server}`]) await answered(path);
  await answered(`mcp/servers/${server}/grants/agents`);
  for (const { id } of await stores.customTools.list({})) {
    await answered(`custom-tools/${id}`);
    await answered(`custom-tools/${id}/test`, { input: { x: secrets.env } });
  }
  await answered('audit');
  // Files that a command writes into the workspace are not checked.
  expect([foundIn(JSON.stringify(said)), foundIn(...filesBelow(root))]).toEqual([[], ['env']]);
  expect(JSON.stringify(run)).toContain('[REDACTED]');

  // One planted secret must be found, which shows that the search works.
  await stores.todos.set([{ content: 'plain words that are kept', activeForm: '', status: 'pending' }], {
    ...{ caller: { sessionId: 's' }, signal: new AbortController().signal },
  });
  await client.query('CHECKPOINT');
  const dump = filesBelow(folder);
  expect([foundIn(...dump), dump.some((bytes) => bytes.includes('plain words that are kept'))]).toEqual([[], true]);

  // A flipped bit, or a value sealed for another tool, disables the tool with the reason.
  const sealed = async (name: string) =>
    String((await client.query('SELECT sealed_env FROM custom_tools WHERE name = $1', [name])).rows[0]?.sealed_env);
  const whole = await sealed('fail');
  const flipped = whole.replace(/.(?=.{9}$)/s, (letter) => (letter === 'A' ? 'B' : 'A'));
  const offeredWith = async (text: string) => {
    await client.query('UPDATE custom_tools SET sealed_env = $1 WHERE name = $2', [JSON.stringify(text), 'fail']);
    await tools.reloadGlobal();
    return (await toolkit.definitionsFor()).map(({ name }) => name).filter((name) => ['show', 'fail'].includes(name));
  };
  for (const wrong of [flipped, await sealed('show')]) {
    expect(await offeredWith(wrong)).toEqual(['show']);
    expect(await toolkit.call('fail', { x: '' })).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
    expect(problems.splice(0)).toEqual([expect.stringMatching(/^fail: The secret of .* cannot be decrypted/)]);
    expect(await toolkit.call('show', { x: 'x' })).toMatchObject({ ok: true });
    expect(await offeredWith(whole)).toEqual(['show', 'fail']);
  }
  expect(foundIn(JSON.stringify([said, events, problems]))).toEqual([]);
});
