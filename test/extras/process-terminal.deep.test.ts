import { readdirSync } from 'node:fs';
import { createToolkit } from 'toolwright';
import { processTools } from 'toolwright/extras/process';
import { bubblewrapSandbox } from 'toolwright/sandbox';
import { expect, test } from 'vitest';
import { runs } from '../support/runs.js';
import { processesWith, uniqueSeconds } from '../support/shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const rounds = runs(200);
const descriptors = () => readdirSync('/proc/self/fd').length;
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

test.each([
  ['on this machine', {}],
  ['in bubblewrap', { sandbox: bubblewrapSandbox() }],
])(`${rounds} terminals %s that end in different ways leave nothing`, async (_, options) => {
  const seconds = uniqueSeconds();
  const toolkit = createToolkit({
    root: temporaryFolder(),
    permissions: 'bypassPermissions',
    shell: { interactive: true },
    ...options,
  });
  for (const tool of processTools(toolkit)) toolkit.registry.register(tool);
  const call = (input: object) => toolkit.call('process', input);
  const round = async (index: number) => {
    const command = `sleep ${seconds} & echo up; read line; seq 3000; echo "got $line"`;
    const started = await toolkit.call('Bash', { command, interactive: true, timeout: 60_000 });
    const id = String(started.metadata?.taskId);
    if (index % 4 === 0) return void (await call({ action: 'stop', id }));
    if (index % 4 === 1) return void (await call({ action: 'signal', id, signal: 'KILL' }));
    // Before the command has started, nothing handles Ctrl-C.
    while (!(await call({ action: 'output', id, block: false })).output.includes('up'))
      await new Promise((resolve) => setTimeout(resolve, 10));
    await call({ action: 'write', id, text: index % 4 === 2 ? '\\x03' : `${index}\\n` });
    const { output } = await call({ action: 'output', id });
    if (index % 4 === 3) expect(output).toMatch(new RegExp(`\n3000\ngot ${index}\n?$`));
  };
  await Promise.all([0, 1, 2, 3].map(round));
  await until(() => processesWith(seconds).length === 0);
  const before = [descriptors(), timers()];
  for (let index = 0; index < rounds; index += 4)
    await Promise.all(Array.from({ length: 4 }, (_, offset) => round(index + offset)));
  await until(() => processesWith(seconds).length === 0);
  await until(() => descriptors() <= (before[0] ?? 0) && timers() <= (before[1] ?? 0));
  const left = await toolkit.call('Bash', { command: `sleep ${seconds}`, interactive: true });
  expect(left.ok).toBe(true);
  await toolkit.dispose();
  expect(processesWith(seconds)).toEqual([]);
});
