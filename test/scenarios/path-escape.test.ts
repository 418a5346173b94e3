import { existsSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPermissions, type ToolCallResult } from '../../src/index.js';
import { caseWorld, fixture, outsideMarker, outsideOf, type SetupStep } from '../support/case-world.js';

interface Case {
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

const cases = fixture<Case>('path-escape').map((one) => ({ ...one, name: `${one.tool} ${one.why} (${one.id})` }));
const engines = ['ripgrep', 'javascript'] as const;

function check(example: Case, result: ToolCallResult, root: string, expand: (text: string) => string): void {
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

describe.each(engines)('where %s searches', (engine) => {
  // Without a program there are no arguments that could be taken for flags.
  const searching = cases.filter((one) => one.tool === 'Grep' && (engine === 'ripgrep' || one.expect !== 'no_exec'));
  const others = engine === 'ripgrep' ? cases.filter(({ tool }) => tool !== 'Grep') : [];
  const decided = [...searching, ...others].filter((one) => one.expect !== 'ask');

  test.each(decided)('$name', async (example) => {
    const world = caseWorld(example.setup, { hosts: {} });
    if (engine === 'javascript') process.env.TOOLWRIGHT_RIPGREP = 'off';
    const before = world.states();
    const result = await world.call(example.tool, example.input).finally(() => delete process.env.TOOLWRIGHT_RIPGREP);
    const after = world.states();
    expect(outsideOf(after)).toEqual(outsideOf(before));
    expect(existsSync(join(world.root, 'PWNED'))).toBe(false);
    if (example.expect === 'ok') expect(result.output).not.toMatch(/^Error/);
    if (example.expect === 'refuse') {
      expect(result).toMatchObject({
        ok: false,
        error: { code: expect.not.stringMatching(/execution_failed|timeout/) },
      });
      expect(after).toEqual(before);
    }
    check(example, result, world.root, world.expand);
  });
});

describe('files that something runs or obeys are changed only when somebody says so', () => {
  const asked = cases.filter((one) => one.expect === 'ask');
  const allow = ['Write', 'Edit', 'NotebookEdit', '*'];

  test.each(asked)('$name', async (example) => {
    const titles: string[] = [];
    const onAsk = async ({ title }: { readonly title: string }) => {
      titles.push(title);
      return 'deny' as const;
    };
    const world = caseWorld(example.setup);
    const { root } = world;
    const permissions = [
      createPermissions({ mode: 'default', allow, root, onAsk }),
      createPermissions({ mode: 'acceptEdits', allow, root, onAsk }),
      createPermissions({ mode: 'acceptEdits', allow, root }),
      createPermissions({ mode: 'dontAsk', allow, root }),
    ];
    for (const each of permissions) {
      const { toolkit, call, states } = caseWorld(example.setup, { permissions: each });
      const before = states();
      expect(await call(example.tool, example.input)).toMatchObject({
        ok: false,
        error: { code: 'permission_denied' },
      });
      expect(states()).toEqual(before);
      await toolkit.dispose();
    }
    expect(titles).toHaveLength(2);
  });
});
