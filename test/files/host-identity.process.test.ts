import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isEndedProcess, processIdentity } from '../../src/files/disk/process-identity.js';

test('a running process is running; a process with the same number and another start time has ended', () => {
  const own = processIdentity();
  expect(isEndedProcess(own)).toBe(false);
  expect(isEndedProcess(own.replace(/\d+$/, '1'))).toBe(true);
  expect(isEndedProcess(own.replace(/-\d+-/, '-4194305-'))).toBe(true);
});

test('an identity stays valid after its process has ended', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const identity = processIdentity(child.pid);
  expect(isEndedProcess(identity)).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isEndedProcess(identity)).toBe(true);
});

test('the state is unknown for other machines and invalid identities', () => {
  expect(isEndedProcess('00000000-4194305-1')).toBe(false);
  for (const text of ['', 'x', '../..', `${processIdentity()}-x`]) expect(isEndedProcess(text)).toBe(false);
});
