import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startHost } from '../support/exiting-hosts.js';
import { processesWith, uniqueSeconds } from '../support/shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';
import { until } from '../support/until.js';

interface ProcessCase {
  readonly class: string;
  readonly command: string;
  readonly timeout?: number;
  readonly abortAfterMs?: number;
  readonly inBackground?: boolean;
  readonly stop?: boolean;
  readonly readTwice?: boolean;
  readonly folderRemoved?: boolean;
  readonly hostExits?: string;
  readonly contains?: readonly string[];
  readonly code?: string;
  readonly state?: string;
  readonly exitCode?: number;
  readonly neverStarts?: boolean;
  readonly leftover?: number;
  readonly maxResultChars?: number;
}

const fixture = new URL('../fixtures/process-cases.json', import.meta.url);
const cases: readonly ProcessCase[] = JSON.parse(readFileSync(fixture, 'utf8')).cases;
const ofToolkit = cases.filter(({ hostExits }) => hostExits === undefined);

function bench() {
  const root = temporaryFolder();
  const toolkit = testToolkit({ root, permissions: 'bypassPermissions', limits: { bash: { killGraceMs: 300 } } });
  const call = async (name: string, input: object, signal?: AbortSignal) => {
    const { results } = await toolkit.execute([{ id: 'call_1', name, input }], { signal });
    const [result] = results;
    if (result === undefined) throw new Error('no result');
    return result;
  };
  return { root, toolkit, call };
}

describe('every command returns its outcome, and leaves only what it may leave', () => {
  test.each(ofToolkit)('$class: $command', async (wanted) => {
    const seconds = uniqueSeconds();
    const { root, toolkit, call } = bench();
    const command = wanted.command.replaceAll('S', (letter, at: number) =>
      isSeconds(wanted.command, at) ? seconds : letter,
    );
    if (wanted.folderRemoved === true) rmSync(root, { recursive: true });
    const signal =
      wanted.abortAfterMs === 0
        ? AbortSignal.abort()
        : wanted.abortAfterMs === undefined
          ? undefined
          : abortIn(wanted.abortAfterMs);
    const first = await call(
      'Bash',
      { command, timeout: wanted.timeout, run_in_background: wanted.inBackground },
      signal,
    );
    const result = wanted.inBackground === true ? await endOfTask(String(first.metadata?.taskId), wanted, call) : first;

    expect(result.ok ? undefined : result.error.code).toBe(wanted.code);
    for (const text of wanted.contains ?? []) expect(result.output).toContain(text);
    if (wanted.state !== undefined) expect(result.metadata).toMatchObject({ state: wanted.state });
    if (wanted.exitCode !== undefined) expect(result.metadata).toMatchObject({ exitCode: wanted.exitCode });
    if (wanted.neverStarts === true) expect(existsSync(join(root, 'started'))).toBe(false);
    if (wanted.leftover !== undefined) expect(processesWith(seconds)).toHaveLength(wanted.leftover);
    if (wanted.maxResultChars !== undefined) expect(result.output.length).toBeLessThanOrEqual(wanted.maxResultChars);
    await toolkit.dispose();
    expect(processesWith(seconds)).toEqual([]);
  });
});

test.each(cases.filter(({ hostExits }) => hostExits !== undefined))(
  '$class: $command ends with its host',
  async (wanted) => {
    const seconds = uniqueSeconds();
    const host = await startHost(wanted.command.replaceAll('S', seconds), wanted.hostExits ?? 'exit');
    await host.ended;
    await until(() => processesWith(seconds).length === 0);
    expect(processesWith(seconds)).toHaveLength(wanted.leftover ?? 0);
  },
);

/** A single S, not a letter of a word. */
function isSeconds(command: string, at: number): boolean {
  return !/[A-Za-z-]/.test(command.charAt(at - 1)) && !/[A-Za-z]/.test(command.charAt(at + 1));
}

function abortIn(ms: number): AbortSignal {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), ms);
  return abort.signal;
}

async function endOfTask(taskId: string, wanted: ProcessCase, call: ReturnType<typeof bench>['call']) {
  if (wanted.stop === true) return await call('TaskStop', { task_id: taskId });
  const result = await call('TaskOutput', { task_id: taskId, timeout: 10_000 });
  if (wanted.readTwice === true)
    expect((await call('TaskOutput', { task_id: taskId })).output).toContain('(no new output)');
  return result;
}
