import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { processesWith, uniqueSeconds } from './support/shell.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { until } from './support/until.js';

type Lane = Readonly<Record<string, string>>;

const lanesModule = new URL('../.ci/lanes.mjs', import.meta.url).href;

function start(...lanes: readonly Lane[]) {
  const program = `import { runLanes } from ${JSON.stringify(lanesModule)};
    process.exitCode = (await runLanes(${JSON.stringify(lanes)})) ? 0 : 3;`;
  const gate = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = Promise.all([text(gate.stdout), once(gate, 'exit')]);
  return { gate, ended: ended.then(([output, [code]]) => ({ output, code: code as number | null })) };
}

test('lanes run in parallel, and the gates of a lane in sequence', async () => {
  const [left, right] = [join(temporaryFolder(), 'left'), join(temporaryFolder(), 'right')];
  const meets = (own: string, other: string) => `touch ${own}; until [ -e ${other} ]; do sleep 0.02; done`;
  const { ended } = start({ first: meets(left, right), second: `rm ${left}` }, { other: meets(right, left) });
  const { output, code } = await ended;
  expect([code, existsSync(left)]).toEqual([0, false]);
  expect(output.match(/^\w+ +\w+/gm)?.toSorted()).toEqual(['ok     first', 'ok     other', 'ok     second']);
});

test('the first failure shows its last 50 lines, and ends the other lane with its processes', async () => {
  const seconds = uniqueSeconds();
  const begun = join(temporaryFolder(), 'begun');
  const { ended } = start(
    { bad: `until [ -e ${begun} ]; do sleep 0.02; done; seq 1 80 >&2; exit 4`, later: 'echo never' },
    { long: `sleep ${seconds} & touch ${begun}; sleep ${seconds}`, later: 'echo never' },
  );
  const { output, code } = await ended;
  expect(code).toBe(3);
  const [verdict, ...shown] = output.trimEnd().split('\n');
  expect(verdict).toMatch(/^FAILED bad /);
  expect(shown.slice(0, -1)).toEqual(Array.from({ length: 50 }, (_, index) => String(31 + index)));
  await until(() => processesWith(seconds).length === 0);
});

test('a gate ends with its command, even if another process holds its output', async () => {
  const seconds = uniqueSeconds();
  const { ended } = start({ bad: `setsid sleep ${seconds} & echo bad; exit 1` });
  const { output, code } = await ended;
  expect([code, output]).toEqual([3, expect.stringMatching(/^FAILED bad .*\nbad\n/)]);
  for (const pid of processesWith(seconds)) process.kill(pid, 'SIGKILL');
});

test('leftover processes in the group of a passed gate are ended', async () => {
  const seconds = uniqueSeconds();
  expect(await start({ good: `sleep ${seconds} & true` }).ended).toMatchObject({ code: 0 });
  await until(() => processesWith(seconds).length === 0);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s ends every gate', async (signal) => {
  const seconds = uniqueSeconds();
  const { gate, ended } = start({ long: `sleep ${seconds}` }, { other: `sleep ${seconds}` });
  // The command line of the gate contains the same words, but not as separate arguments.
  await until(() => processesWith(`sleep\0${seconds}`).length === 2);
  gate.kill(signal);
  expect(await ended).toMatchObject({ code: 1 });
  await until(() => processesWith(seconds).length === 0);
});
