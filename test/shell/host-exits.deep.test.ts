import { expect, test } from 'vitest';
import { startHost } from '../support/exiting-hosts.js';
import { runs } from '../support/runs.js';
import { processesWith, uniqueSeconds } from '../support/shell.js';
import { until } from '../support/until.js';

const rounds = runs(10);

test.each([
  ['exit', undefined],
  ['throw', undefined],
  ['run', 'SIGINT'],
  ['run', 'SIGTERM'],
] as const)(`${rounds} hosts that end by %s %s leave nothing`, async (way, signal) => {
  const seconds = uniqueSeconds();
  for (let round = 0; round < rounds; round++) {
    const host = await startHost(
      `sleep ${seconds} & setsid sleep ${seconds} & env -i setsid /bin/sleep ${seconds} &`,
      way,
    );
    if (signal !== undefined) process.kill(host.pid, signal);
    await host.ended;
  }
  await until(() => processesWith(seconds).length === 0);
  expect(processesWith(seconds)).toEqual([]);
});
