import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { anthropicModel } from '../../examples/agent-loop/anthropic-model.js';
import { offlineToolkit } from '../../examples/agent-loop/offline.js';
import { runAgent } from '../../examples/agent-loop/run-agent.js';
import { scriptedAnthropic } from '../../examples/agent-loop/scripted-model.js';
import { copyProject } from '../../examples/agent-loop/workspace.js';
import type { Toolkit } from '../../src/index.js';
import { recordTo, replay } from '../../src/testing/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { MemoryScreen } from './memory-screen.js';

const project = fileURLToPath(new URL('../../examples/project', import.meta.url));

/** The project of the main example, and its toolkit. */
async function world(answer: 'allow-once' | 'deny') {
  const workspace = await copyProject(project);
  const toolkit: Toolkit = offlineToolkit(workspace.root, () => Promise.resolve(answer));
  onTestFinished(async () => {
    await toolkit.dispose();
    await workspace.remove();
  });
  return { ...workspace, toolkit };
}

test('a record of the main example replays without divergence', async () => {
  const file = join(temporaryFolder(), 'record.jsonl');
  const first = await world('allow-once');
  const toolkit = recordTo(file)(first.toolkit, first.root);
  const model = anthropicModel('scripted', toolkit.definitions(), scriptedAnthropic(first.root));
  const { signal } = new AbortController();
  const { screen } = new MemoryScreen();
  const { ending, results } = await runAgent({ model, toolkit, screen, task: 'Repair it.', maxTurns: 12, signal });
  expect([ending, results.length >= 6]).toEqual(['done', true]);
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(results.length);
  expect(readFileSync(file, 'utf8')).not.toContain(first.secret);

  const second = await world('deny');
  expect(await replay(file, second)).toEqual([]);
  expect(await second.testExitCode()).toBe(0);
});
