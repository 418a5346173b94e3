import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import { createPermissions, createToolkit, type PermissionMode, type Permissions, Tool } from '../../src/index.js';
import { table } from '../support/each-row.js';
import { runs } from '../support/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const numRuns = runs(1_000);

/** Inputs of each tool, grouped by the deny rules of the test. */
const inputs = (root: string) => ({
  Reach: {
    fine: ['docs/a.md', 'src/a.ts', './docs/../docs/a.md'],
    denied: [
      'secret/key.pem',
      './secret/key.pem',
      'docs/../secret/key.pem',
      'SECRET/key.pem',
      'link/key.pem',
      join(root, 'secret', 'key.pem'),
    ],
  },
  Shell: {
    fine: ['npm test', 'ls -la', 'echo "npm publish"'],
    denied: [
      'npm publish',
      'ls; npm publish',
      'CI=1 npm publish',
      'bash -c "npm publish"',
      'echo $(npm publish)',
      'env npm  publish --tag x',
      "n'p'm publish",
    ],
  },
  Visit: {
    fine: ['https://example.org/', 'http://sub.example.org/a'],
    denied: [
      'https://evil.example/',
      'https://a.evil.example/x',
      'https://EVIL.example:8443/',
      'https://user@evil.example/',
      'https://evil.example./',
    ],
  },
  Forbidden: { fine: [], denied: ['anything'] },
});

type Name = keyof ReturnType<typeof inputs>;
const deny = ['Reach(secret/**)', 'Read(secret/**)', 'Shell(npm publish *)', 'Visit(domain:evil.example)', 'Forbidden'];

/** The source of a rewrite, the mode, and the allow rules. */
interface Attempt {
  readonly name: Name;
  readonly first: string;
  /** The inputs that the sources of rewrites return, in turn. */
  readonly rewrites: readonly { readonly by: 'permission' | 'hook' | 'check'; readonly text: string }[];
  readonly mode: PermissionMode;
  readonly allow: readonly string[];
  readonly remember: boolean;
}

/** A folder with a secret, tools that record their runs, and a function that runs an attempt. */
function workspace() {
  const root = temporaryFolder();
  mkdirSync(join(root, 'secret'));
  writeFileSync(join(root, 'secret', 'key.pem'), 'key');
  symlinkSync(join(root, 'secret'), join(root, 'link'));
  const all = inputs(root);
  const ran: string[] = [];
  const define = (name: Name) =>
    Tool.define(name, {
      description: name,
      input: z.object({ text: z.string() }),
      sideEffect: 'mutating',
      targets: ({ text }) => {
        if (name === 'Reach') return [{ kind: 'read', path: resolve(root, text) }];
        if (name === 'Shell') return [{ kind: 'command', command: text }];
        return name === 'Visit' ? [{ kind: 'url', url: text }] : [];
      },
      execute: ({ text }) => {
        ran.push(text);
        return 'ran';
      },
    });
  const tools = (Object.keys(all) as Name[]).map(define);

  /** All deciders allow, and rewrite as in the attempt. Returns the inputs that ran. */
  const play = async ({ name, first, rewrites, mode, allow, remember }: Attempt) => {
    const queue = [...rewrites];
    const next = (by: string): string | undefined => {
      const index = queue.findIndex((rewrite) => rewrite.by === by);
      return index === -1 ? undefined : queue.splice(index, 1)[0]?.text;
    };
    const rewritten = (by: string) => {
      const text = next(by);
      return text === undefined ? {} : { updatedInput: { text } };
    };
    const own = createPermissions({
      mode,
      root,
      deny,
      allow,
      autoAllow: 'low-risk',
      onAsk: () => {
        const rewrite = rewritten('permission');
        if ('updatedInput' in rewrite) return { behavior: 'allow', ...rewrite };
        return remember ? 'allow-always' : 'allow-once';
      },
    });
    // Permissions of the host around createPermissions, which rewrite allowed inputs.
    const wrapped: Permissions = {
      check: async (request, scope) => {
        const decision = await own.check(request, scope);
        return decision.behavior === 'allow' ? { ...decision, ...rewritten('check') } : decision;
      },
    };
    await using toolkit = createToolkit({
      root,
      permissions: rewrites.some(({ by }) => by === 'check') ? wrapped : own,
      hooks: { PreToolUse: [{ hooks: [() => ({ decision: 'allow', ...rewritten('hook') })] }] },
    });
    toolkit.registry.register(...tools);
    ran.length = 0;
    const { results } = await toolkit.execute([{ id: 'c', name, input: { text: first } }]);
    return { ran: [...ran], result: results[0] };
  };
  return { all, play };
}

const attempts = (all: ReturnType<typeof inputs>): fc.Arbitrary<Attempt> => {
  return fc.constantFrom(...(Object.keys(all) as Name[])).chain((name) => {
    const denied = fc.constantFrom(...all[name].denied);
    const text =
      name === 'Forbidden' ? denied : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...all[name].fine) }, denied);
    return fc.record({
      name: fc.constant(name),
      first: text,
      rewrites: fc.array(fc.record({ by: fc.constantFrom('permission', 'hook', 'check'), text }), { maxLength: 4 }),
      mode: fc.constantFrom<PermissionMode>('default', 'acceptEdits', 'bypassPermissions'),
      allow: fc.subarray(['*', 'Reach(**)', 'Shell(*)', 'Shell(npm *)', 'Visit', 'Forbidden']),
      remember: fc.boolean(),
    });
  });
};

describe('a rewrite by permission or a hook', () => {
  test('never passes a deny rule, even if another rule allows the input', async () => {
    const { all, play } = workspace();
    let rewrittenAndRan = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(attempts(all), async (attempt) => {
        const { ran: executed, result } = await play(attempt);
        const denied: readonly string[] = all[attempt.name].denied;
        for (const text of executed) expect(denied).not.toContain(text);
        expect(executed).toHaveLength(result?.ok === true ? 1 : 0);
        if (result?.ok === true && executed[0] !== attempt.first) rewrittenAndRan += 1;
        if (result?.ok === false) refused += 1;
        if (result?.ok === false) expect(result.error.code).toBe('permission_denied');
      }),
      { numRuns },
    );
    // The property is not vacuous: some rewrites are allowed, and some are denied.
    expect(rewrittenAndRan).toBeGreaterThan(numRuns / 50);
    expect(refused).toBeGreaterThan(numRuns / 10);
  }, 120_000);

  table(['permission', 'hook', 'check'] as const)(
    'is refused for each denied input and runs for each other input',
    async (by) => {
      const { all, play } = workspace();
      for (const name of ['Reach', 'Shell', 'Visit'] as const) {
        for (const text of [...all[name].fine, ...all[name].denied]) {
          const first = all[name].fine.find((other) => other !== text) ?? '';
          const { ran: executed } = await play({
            name,
            first,
            rewrites: [{ by, text }],
            mode: 'default',
            allow: [],
            remember: false,
          });
          expect([text, executed]).toEqual([text, (all[name].fine as readonly string[]).includes(text) ? [text] : []]);
        }
      }
    },
  );
});
