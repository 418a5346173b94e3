import { existsSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ToolCallResult } from '../../src/index.js';
import { caseWorld, fixture, outsideMarker, outsideOf, type SetupStep } from './case-world.js';

/** A call with a path. */
export interface PathCase {
  readonly id: string;
  readonly why: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expect: 'refuse' | 'ok' | 'ask' | 'no_leak' | 'no_exec' | 'refuse_or_detach';
  readonly setup?: readonly SetupStep[];
  readonly must_contain?: string;
  readonly must_not_contain?: string;
  readonly must_keep_link?: string;
  readonly same_file?: readonly [string, string];
}

/** Paths that try to leave the workspace, and the expected results. */
export const pathCases = fixture<PathCase>('path-escape').map((one) => ({
  ...one,
  name: `${one.tool} ${one.why} (${one.id})`,
}));

function check(example: PathCase, result: ToolCallResult, root: string, expand: (text: string) => string): void {
  expect(JSON.stringify(result)).not.toContain(outsideMarker);
  if (example.must_contain !== undefined) expect(result.output).toContain(expand(example.must_contain));
  if (example.must_not_contain !== undefined && result.ok)
    expect(result.output).not.toContain(example.must_not_contain);
  if (example.must_keep_link !== undefined)
    expect(lstatSync(join(root, example.must_keep_link)).isSymbolicLink()).toBe(true);
  if (example.same_file !== undefined) {
    const [one, other] = example.same_file.map((name) => statSync(join(root, name)).ino);
    expect(one).toBe(other);
  }
}

/** Makes the call of a case and compares its effect with the expectation. */
export async function tryPath(example: PathCase): Promise<void> {
  const world = caseWorld(example.setup, { hosts: {} });
  const before = world.states();
  const result = await world.call(example.tool, example.input);
  const after = world.states();
  expect(outsideOf(after)).toEqual(outsideOf(before));
  expect(existsSync(join(world.root, 'PWNED'))).toBe(false);
  if (example.expect === 'ok') expect(result.output).not.toMatch(/^Error/);
  if (example.expect === 'refuse') {
    expect(result).toMatchObject({ ok: false, error: { code: expect.not.stringMatching(/execution_failed|timeout/) } });
    expect(after).toEqual(before);
  }
  check(example, result, world.root, world.expand);
}
