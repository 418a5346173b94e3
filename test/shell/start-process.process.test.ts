import { expect, test } from 'vitest';
import { type ProcessRequest, startProcess } from '../../src/shell/run/start-process.js';
import { eachRow } from '../support/each-row.js';

const request: ProcessRequest = {
  file: '/bin/sh',
  arguments: ['-c', 'exit 3'],
  cwd: '/',
  env: {},
  stdout: 1,
  stderr: 2,
};

test('a process returns how it ended', async () => {
  const { ended } = await startProcess(request);
  expect(await ended).toEqual({ exitCode: 3, signal: undefined });
});

const rows = [
  ['a program that is not there', { file: '/nowhere/sh' }, 'ENOENT'],
  ['a folder that is not there', { cwd: '/nowhere' }, 'ENOENT'],
  ['more than a command line carries', { arguments: ['-c', `: ${'x'.repeat(200_000)}`] }, 'write it to a file'],
] as const;
test('the result says why no process was started', () =>
  eachRow(rows, ([, part, reason]) =>
    expect(startProcess({ ...request, ...part })).rejects.toMatchObject({
      code: 'execution_failed',
      message: expect.stringMatching(`^The shell could not be started: .*${reason}`),
    }),
  ));
