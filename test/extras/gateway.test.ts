import { gatewayTool, toolkitGateway } from 'toolwright/extras/gateway';
import { callTool } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import { askingToolkit } from '../support/asking-toolkit.js';
import { assessed } from '../support/assessed.js';
import { eachRow } from '../support/each-row.js';

const caller = { sessionId: 'session_1' };

function administered(options: Parameters<typeof toolkitGateway>[1] = {}) {
  const { toolkit, asked } = askingToolkit({}, { allow: ['gateway', 'Config'] });
  toolkit.registry.register(gatewayTool(toolkitGateway(toolkit, options)));
  return { toolkit, asked, call: (input: object, by = caller) => toolkit.call('gateway', input, { caller: by }) };
}

test('each action asks once, in spite of an allow rule', async () => {
  const done: string[] = [];
  const { asked, call } = administered({
    reload: async () => void done.push('reload'),
    restart: async () => void done.push('restart'),
  });
  expect((await call({ action: 'config_set', setting: 'theme', value: 'dark' })).output).toBe('theme is set');
  expect((await call({ action: 'config_get', setting: 'theme' })).output).toBe('"dark"');
  expect((await call({ action: 'config_get', setting: 'language' })).output).toBe('language is not set');
  expect(JSON.parse((await call({ action: 'status' })).output)).toMatchObject({ subagents: [], leftovers: [] });
  expect((await call({ action: 'reload' })).output).toBe('The settings were read again');
  expect((await call({ action: 'restart' })).output).toBe('The program restarts after this turn');
  expect(done).toEqual(['reload', 'restart']);
  expect(asked.map(({ title }) => title)).toEqual([
    'Set theme to "dark" in the gateway',
    'Show theme of the gateway',
    'Show language of the gateway',
    'Show the status of the gateway',
    'reload the gateway',
    'restart the gateway',
  ]);
});

test('the status does not name the sessions of other users', async () => {
  const { toolkit, call } = administered();
  await toolkit.call('TodoRead', {}, { caller: { sessionId: 'session_of_bob', userId: 'bob' } });
  expect(toolkit.sessions()).toContain('session_of_bob');
  const { output } = await call({ action: 'status' });
  expect(output).not.toContain('bob');
  expect(JSON.parse(output)).toMatchObject({ session: 'session_1' });
});

test('the status shows the left processes of the session only', async () => {
  const { toolkit } = administered();
  const leftovers = (sessionId?: string) => [{ pid: 1, command: `left by ${sessionId}`, startedAt: 0 }];
  const status = await toolkitGateway({ ...toolkit, leftovers } as never).status({
    caller,
    signal: AbortSignal.any([]),
  });
  expect(status).toMatchObject({ leftovers: [{ pid: 1, command: 'left by session_1' }] });
});

test('a subagent is not offered it, and cannot call it even if the policy offers it', async () => {
  const { toolkit, asked, call } = administered();
  const names = (depth: number) => toolkit.definitions({ ...caller, depth }).map(({ name }) => name);
  expect([names(0).includes('gateway'), names(1).includes('gateway')]).toEqual([true, false]);
  const tool = toolkit.registry.get('gateway');
  const scope = { caller: { ...caller, depth: 1 }, signal: AbortSignal.any([]) };
  expect((await assessed(tool, { action: 'status' }, scope)).verdict).toMatchObject({ behavior: 'deny' });
  expect(await call({ action: 'status' }, { ...caller, depth: 1 } as never)).toMatchObject({ ok: false });
  expect(asked).toEqual([]);
});

test('an unknown action, or fields of another one, are rejected before a question', async () => {
  const { asked, call } = administered();
  const rows = [
    [{ action: 'destroy' }, 'status'],
    [{ action: 'config_set', setting: 'theme' }, 'expected value for the action config_set'],
    [{ action: 'config_get' }, 'expected setting for the action config_get'],
    [{ action: 'status', setting: 'theme' }, 'expected no setting for the action status, which takes no other field'],
  ] as const;
  await eachRow(rows, async ([input, message]) => {
    expect(await call(input)).toMatchObject({
      ok: false,
      error: { code: 'invalid_input' },
      output: expect.stringContaining(message),
    });
  });
  expect(asked).toEqual([]);
});

describe('a gateway that fails', () => {
  test('fails one call', async () => {
    const { call } = administered({ reload: () => Promise.reject(new Error('the file is gone')) });
    const failed = {
      ok: false,
      error: { code: 'execution_failed' },
      output: expect.stringContaining('the file is gone'),
    };
    expect(await call({ action: 'reload' })).toMatchObject(failed);
    expect(await call({ action: 'restart' })).toMatchObject({ ok: false, error: { code: 'not_configured' } });
  });

  test('is named if its answer is invalid', async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const tool = gatewayTool({ ...toolkitGateway(administered().toolkit), status: () => circle });
    await expect(callTool(tool, { action: 'status' })).rejects.toThrow('cannot be written as JSON');
  });
});

test('a mistake of the program is a TypeError with the correct form', () => {
  const { toolkit } = administered();
  expect(() => gatewayTool({} as never)).toThrow('gatewayTool(toolkitGateway(toolkit))');
  expect(() => toolkitGateway({} as never)).toThrow('toolkitGateway(toolkit)');
  expect(() => toolkitGateway(toolkit, { relaod: () => {} } as never)).toThrow('reload');
});
