import { expect, onTestFinished, test } from 'vitest';
import { createPermissions, defaultLimits, executeTools, ToolRegistry } from '../../src/core.js';
import { bashTool, HostShell, SpillFolder, TaskManager, taskOutputTool, taskStopTool } from '../../src/tools.js';
import { toolContext } from '../support/call-scope.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function world() {
  const root = temporaryFolder();
  const folder = new SpillFolder();
  const shell = new HostShell({ roots: [root], folder, limits: defaultLimits });
  const tasks = new TaskManager();
  onTestFinished(async () => {
    await tasks.dispose();
    await shell.dispose();
    folder.dispose();
  });
  const registry = new ToolRegistry().register(
    bashTool({ shell, tasks, limits: defaultLimits }),
    taskOutputTool({ tasks, limits: defaultLimits }),
    taskStopTool({ tasks }),
  );
  const permissions = createPermissions({ root, allow: ['Bash(echo *)', 'Bash(sleep *)', 'TaskOutput', 'TaskStop'] });
  const run = async (name: string, input: object) => {
    const { results } = await executeTools([{ id: 'c', name, input }], { registry, permissions });
    return results[0];
  };
  const idOf = (output = '') => /^Task started: (\S+)/.exec(output)?.[1];
  return { root, registry, run, idOf };
}

test('a custom registry runs a background command and reads its output', async () => {
  const { run, idOf } = world();
  const started = await run('Bash', { command: 'echo one; sleep 0.01; echo two', run_in_background: true });
  expect(started).toMatchObject({ ok: true, output: expect.stringMatching(/^Task started: \S+\nOutput: \//) });
  expect(await run('TaskOutput', { task_id: idOf(started?.output), block: true })).toMatchObject({
    output: 'Status: completed\none\ntwo\n',
    metadata: { state: 'completed', exitCode: 0 },
  });
});

test('its task is stopped with all its processes', async () => {
  const { registry, run } = world();
  const { metadata } = await registry.execute('Bash', { command: 'sleep 1000', run_in_background: true });
  expect(await run('TaskStop', { task_id: metadata?.taskId })).toMatchObject({
    ok: true,
    output: `Task stopped: ${metadata?.taskId}`,
  });
});

test('its Bash refuses commands by the safety policy for every caller', async () => {
  const { root, registry, run } = world();
  const refused = { code: 'command_denied', message: expect.stringContaining('blocked by safety policy') };
  expect(await run('Bash', { command: `echo x; rm -rf ${root}/../` })).toMatchObject({ error: refused });
  await expect(registry.execute('Bash', { command: 'rm -rf /' })).rejects.toMatchObject(refused);
  await expect(registry.get('Bash')?.execute({ command: 'rm -rf /' }, toolContext())).rejects.toMatchObject(refused);
});
