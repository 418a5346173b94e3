import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { hostIdentity, isEndedHost } from '../../src/files/disk/process-identity.js';

test('a running process is running; a process with the same number and another start time has ended', () => {
  const own = hostIdentity();
  expect(isEndedHost(own)).toBe(false);
  expect(isEndedHost(own.replace(/\d+$/, '1'))).toBe(true);
  expect(isEndedHost(own.replace(/-\d+-/, '-4194305-'))).toBe(true);
});

test('an identity stays valid after its process has ended', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const identity = hostIdentity(child.pid);
  expect(isEndedHost(identity)).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isEndedHost(identity)).toBe(true);
});

test('the state is unknown for other machines and invalid identities', () => {
  expect(isEndedHost('00000000-4194305-1')).toBe(false);
  for (const text of ['', 'x', '../..', `${hostIdentity()}-x`]) expect(isEndedHost(text)).toBe(false);
});
