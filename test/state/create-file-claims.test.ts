import { readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFileClaims, createToolkit } from '../../src/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function siblings() {
  const root = temporaryFolder();
  const claims = createFileClaims();
  const toolkit = createToolkit({ root, permissions: 'bypassPermissions', hooks: claims.hooks });
  onTestFinished(() => toolkit.dispose());
  const write = async (agentId: string, name: string, sessionId = 's') => {
    const call = { id: 'c', name: 'Write', input: { file_path: join(root, name), content: agentId } };
    const { results } = await toolkit.execute([call], { caller: { sessionId, agentId } });
    return results[0];
  };
  return { root, claims, write };
}

test('the second agent is refused with the name of the first, until that one has ended', async () => {
  const { root, claims, write } = siblings();
  expect(await write('ann', 'a.txt')).toMatchObject({ ok: true });
  const refused = await write('bob', 'a.txt');
  expect(refused).toMatchObject({ ok: false, error: { code: 'denied_by_hook' } });
  expect(refused?.output).toContain('is being edited by ann');
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('ann');
  expect(await write('ann', 'a.txt')).toMatchObject({ ok: true });
  expect(await write('bob', 'b.txt')).toMatchObject({ ok: true });
  expect([...claims.list().values()]).toEqual(['ann', 'bob']);
  expect(claims.release({ sessionId: 's', agentId: 'ann' })).toBe(1);
  expect(await write('bob', 'a.txt')).toMatchObject({ ok: true });
});

test('agents of one name in two sessions are two', async () => {
  const { write } = siblings();
  await write('ann', 'a.txt', 's1');
  expect(await write('ann', 'a.txt', 's2')).toMatchObject({ ok: false });
});

test('dots lead to the same claim, links do where the host says what is canonical', async () => {
  const { root, write } = siblings();
  await write('ann', 'x/../a.txt');
  expect(await write('bob', 'a.txt')).toMatchObject({ ok: false });
  writeFileSync(join(root, 'real.txt'), '');
  symlinkSync('real.txt', join(root, 'link.txt'));
  const claims = createFileClaims({ resolve: (path) => realpathSync(path) });
  await claims.claim(join(root, 'real.txt'), { sessionId: 's', agentId: 'ann' });
  expect(await claims.claim(join(root, 'link.txt'), { sessionId: 's', agentId: 'bob' })).toContain('ann');
});

test('reading needs no claim', async () => {
  const { claims } = siblings();
  const [entry] = claims.hooks.PreToolUse ?? [];
  const scope = { caller: { sessionId: 's' }, signal: new AbortController().signal };
  expect(await entry?.hooks?.[0]?.({ callId: 'c', tool: 'Read', input: { file_path: '/a' } }, scope)).toEqual({});
  expect(claims.list().size).toBe(0);
});
