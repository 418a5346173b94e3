import { expect, onTestFinished, test } from 'vitest';
import { nextTurn } from '../../src/core/support/timers.js';
import { createToolkit } from '../../src/index.js';
import { McpManager } from '../../src/mcp.js';
import { eachRow } from '../support/each-row.js';
import { FakeMcpClient } from '../support/fake-mcp-client.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The unhandled rejections until the test ends. */
function unheard(): unknown[] {
  const heard: unknown[] = [];
  const listen = (reason: unknown) => void heard.push(reason);
  process.on('unhandledRejection', listen);
  onTestFinished(() => void process.off('unhandledRejection', listen));
  return heard;
}

const scope = { caller: { sessionId: 's1' }, signal: new AbortController().signal };
const rejecting = async () => {
  throw new Error('the database is down');
};
const throwing = () => {
  throw new Error('the database is down');
};

test('a rejecting function fails only the call that used it', async () => {
  const rejections = unheard();
  const grants = { s: {} };
  const rows: readonly (readonly [string, ask: () => unknown])[] = [
    ['rejects', rejecting],
    ['throws', throwing],
    ['answers later', async () => grants],
    ['answers what is no grant', () => 7],
    ['answers nothing', () => undefined],
    ['answers no filter at all', () => ({ s: [] })],
    ['answers filters of which one is none', () => ({ s: [{}, rejecting()] })],
    ['rejects in a promise of its own', () => ({ s: rejecting() })],
  ];
  await eachRow(rows, async ([, ask]) => {
    let isBroken = true;
    const manager = new McpManager({
      servers: { s: { command: 'no-such-program-anywhere' } },
      grantsFor: () => (isBroken ? ask() : grants) as never,
    });
    await expect(manager.callTool({ server: 's', tool: 't', input: {} }, scope)).rejects.toMatchObject({
      code: 'not_allowed',
    });
    await expect(manager.readResource({ server: 's', uri: 'x:1' }, scope)).rejects.toMatchObject({
      code: 'not_allowed',
    });
    expect(manager.isGranted({ server: 's', tool: 't' }, scope.caller)).toBe(false);
    isBroken = false;
    expect(manager.isGranted({ server: 's', tool: 't' }, scope.caller)).toBe(true);
    await manager.dispose();
  });
  await nextTurn();
  expect(rejections).toEqual([]);
});

test('a client that rejects in grants offers nothing, and a sandbox that rejects runs nothing', async () => {
  const rejections = unheard();
  await eachRow([rejecting, throwing, async () => undefined], async (broken) => {
    const mcp = new FakeMcpClient({ s: { tools: [{ name: 'x' }] } });
    const root = temporaryFolder();
    const shared = { root, permissions: 'bypassPermissions' as const, hosts: { mcp } };
    await using toolkit = createToolkit({ ...shared, sandbox: broken as never });
    expect(await toolkit.call('mcp__s__x', {})).toMatchObject({ ok: true });
    for (const command of ['touch a', 'touch b'])
      expect(await toolkit.call('Bash', { command })).toMatchObject({ error: { code: 'sandbox_unavailable' } });
    mcp.isGranted = broken as never;
    expect(await toolkit.call('mcp__s__x', {})).toMatchObject({ error: { code: 'not_allowed' } });
    mcp.isGranted = () => true;
    expect(await toolkit.call('mcp__s__x', {})).toMatchObject({ ok: true });
  });
  await nextTurn();
  expect(rejections).toEqual([]);
});
