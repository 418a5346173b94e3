import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { markerName, markerValue } from '../../src/shell/run/child-environment.js';
import { killMarked } from '../../src/shell/run/kill-marked-processes.js';
import type { ProcessEntry } from '../../src/shell/run/process-table.js';
import * as machine from '../../src/shell/run/process-table.js';
import { type Machine, ProcessTree } from '../../src/shell/run/process-tree.js';

/** Process ids that no kernel assigns. */
const shell = 4_200_000;
const other = shell + 1;
const parent = shell + 2;
const child = shell + 3;
const marked = `${markerName}=${markerValue('owner', 1, undefined)}\0`;

interface Shown {
  /** Listed, but gone when it is read. */
  readonly gone?: true;
  /** Undefined during exec. */
  readonly environment?: string | undefined;
}

/**
 * A process table that shows the next list at each scan, and repeats the last one, without killed processes. Each
 * process is an orphan in its own session.
 */
function tableOf(...listings: readonly ReadonlyMap<number, Shown>[]) {
  const killed: number[] = [];
  const kill = vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    if (pid > 0 && signal !== 0 && signal !== 'SIGCONT') killed.push(pid);
    if (pid > 0) return true;
    throw new Error('ESRCH');
  });
  onTestFinished(() => void kill.mockRestore());
  let looks = 0;
  const shown = () => listings[Math.min(Math.max(looks, 1), listings.length) - 1] ?? new Map<number, Shown>();
  const isListed = (pid: number) => shown().has(pid) && !killed.includes(pid);
  const table: Machine = {
    ...machine,
    lastProcessId: () => child,
    processIds() {
      looks++;
      return [...shown().keys()].filter(isListed);
    },
    readProcess(pid): ProcessEntry | undefined {
      if (!isListed(pid) || shown().get(pid)?.gone === true) return undefined;
      return { pid, parent: 1, group: pid, session: pid, start: pid };
    },
    environmentOf: (pid) => (isListed(pid) ? shown().get(pid)?.environment : undefined),
    childrenOf: () => [],
    outputsOf: () => [],
  };
  const tree = new ProcessTree(
    { pid: shell, owner: 'owner', run: 1, outputFiles: [], ancestors: new Set([1]), scrub: (text) => text },
    { killGraceMs: 60_000, drainMs: 0, reapMs: 60_000 },
    { machine: table },
  );
  return { table, tree, killed, looks: () => looks };
}

const listing = (...shown: readonly (readonly [number, Shown])[]) => new Map(shown);
const starting = listing([child, { environment: undefined }]);
const started = listing([child, { environment: marked }]);

/** Ways to escape one scan. Each shows the child in a later scan. */
const escapes = [
  ['a child that is replacing its program', [starting, started]],
  ['one that does so for many looks', [...Array.from({ length: 7 }, () => starting), started]],
  ['a child of what was gone before it was read', [listing([parent, { gone: true }]), started]],
  [
    'a child of the last of several such',
    [listing([other, { gone: true }]), listing([other, { gone: true }], [parent, { gone: true }]), started],
  ],
] as const;

describe.each(escapes)('%s', (_, listings) => {
  test('is named when the command has ended', async () => {
    const { tree } = tableOf(...listings);
    expect(await tree.settle()).toEqual([{ pid: child, command: `process ${child}` }]);
  });

  test('is ended with the command', async () => {
    const { tree, killed } = tableOf(...listings);
    expect(await tree.end()).toEqual([]);
    expect(killed).toEqual([child]);
  });

  test('keeps its command registered', () => {
    const { tree } = tableOf(...listings);
    expect(listings.map(() => tree.isGone())).not.toContain(true);
  });
});

test.each(escapes)('%s is ended with its owner', (_, listings) => {
  const { table, killed } = tableOf(...listings);
  killMarked((owner) => owner === 'owner', table);
  expect(killed).toEqual([child]);
});

test('processes of others and zombies are scanned twice and not touched', async () => {
  const others = listing([other, { gone: true }], [child, { environment: 'PATH=/bin\0' }]);
  const { table, tree, killed, looks } = tableOf(others);
  expect(await tree.settle()).toEqual([]);
  expect(looks()).toBe(2);
  expect(await tree.end()).toEqual([]);
  killMarked((owner) => owner === 'owner', table);
  expect(killed).toEqual([]);
  expect(looks()).toBeLessThanOrEqual(6);
});

test('continuous new processes of others do not delay a command', async () => {
  const [even, odd] = [other, parent].map((pid) => listing([pid, { gone: true as const }]));
  const { tree } = tableOf(...Array.from({ length: 1_000 }, (_, index) => (index % 2 === 0 ? even : odd) ?? starting));
  expect(await tree.settle()).toEqual([]);
  expect(tree.isGone()).toBe(true);
});
