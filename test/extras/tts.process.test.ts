import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPermissions, createToolkit } from 'toolwright';
import { localSpeech, ttsTool } from 'toolwright/extras/tts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendSignal } from '../../src/shell/run/process-table.js';
import { until } from '../support/until.js';

const isThere = spawnSync('espeak-ng', ['--version']).status === 0;
if (!isThere) console.log('espeak-ng is not installed: speaking on this machine is not tested');

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolwright-test-'));
});
afterAll(async () => {
  await rm(root, { recursive: true });
});

function speaking(options?: Parameters<typeof localSpeech>[0]) {
  const toolkit = createToolkit({ root, permissions: createPermissions({ allow: ['tts'] }) });
  toolkit.registry.register(ttsTool(localSpeech(options), toolkit));
  return toolkit;
}

/** The duration of a WAV file in seconds, from its header, whose lengths must match the file. */
async function secondsOf(path: unknown): Promise<number> {
  const bytes = await readFile(String(path));
  expect(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 12)).toBe('RIFFWAVE');
  expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
  expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44);
  return (bytes.length - 44) / bytes.readUInt32LE(28);
}

test.skipIf(!isThere)('espeak-ng writes a WAV file, slower or faster', async () => {
  await using toolkit = speaking();
  const text = 'The build is done, and all of its tests have passed.';
  const lengths: number[] = [];
  for (const speed of [0.5, 1, 2]) {
    const result = await toolkit.call('tts', { text, speed });
    expect(result).toMatchObject({ ok: true, metadata: { format: 'wav' } });
    lengths.push(await secondsOf(result.metadata?.filePath));
  }
  const [slow = 0, usual = 0, fast = 0] = lengths;
  expect(usual).toBeGreaterThan(1.5);
  expect(usual).toBeLessThan(8);
  expect(slow).toBeGreaterThan(usual * 1.4);
  expect(fast).toBeLessThan(usual * 0.8);
});

test.skipIf(!isThere)('an unknown voice of espeak-ng is named, and a text like an option is spoken', async () => {
  await using toolkit = speaking();
  expect(await toolkit.call('tts', { text: 'Hello', voice: 'xx-none' })).toMatchObject({
    error: { code: 'invalid_input' },
  });
  const spoken = await toolkit.call('tts', { text: '--version', voice: 'de' });
  expect(await secondsOf(spoken.metadata?.filePath)).toBeGreaterThan(0.2);
});

test('a missing or failing program is reported', async () => {
  await using missing = speaking({ file: '/none/espeak-ng' });
  expect(await missing.call('tts', { text: 'Hello' })).toMatchObject({ error: { code: 'not_configured' } });
  await using failing = speaking({ file: 'false' });
  expect((await failing.call('tts', { text: 'Hello' })).output).toContain('espeak-ng failed: it ended with 1');
});

test('a program that does not end is ended with the call', async () => {
  const file = join(root, 'hangs');
  await writeFile(file, '#!/bin/sh\necho $$ > "$0.pid"\nexec sleep 600\n', { mode: 0o755 });
  await using toolkit = speaking({ file });
  const control = new AbortController();
  const result = toolkit.call('tts', { text: 'Hello' }, { signal: control.signal });
  const pid = () => Number(existsSync(`${file}.pid`) ? readFileSync(`${file}.pid`, 'utf8') : 0);
  await until(() => pid() > 0);
  control.abort();
  expect(await result).toMatchObject({ error: { code: 'interrupted' } });
  await until(() => !sendSignal(pid(), 0));
});
