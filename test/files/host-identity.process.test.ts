import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { hostIdentity, isEndedHost } from '../../src/files/disk/process-identity.js';

test('a living process has not ended, a process of the same number that began at another time has', () => {
  const own = hostIdentity();
  expect(isEndedHost(own)).toBe(false);
  expect(isEndedHost(own.replace(/\d+$/, '1'))).toBe(true);
  expect(isEndedHost(own.replace(/-\d+-/, '-4194305-'))).toBe(true);
});

test('an identity outlives its process', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const identity = hostIdentity(child.pid);
  expect(isEndedHost(identity)).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isEndedHost(identity)).toBe(true);
});

test('of other machines, and of what is no identity, nothing is said', () => {
  expect(isEndedHost('00000000-4194305-1')).toBe(false);
  for (const text of ['', 'x', '../..', `${hostIdentity()}-x`]) expect(isEndedHost(text)).toBe(false);
});
