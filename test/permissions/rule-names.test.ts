import { describe, expect, test } from 'vitest';
import { createPermissions, type PermissionsOptions, ToolRegistry } from '../../src/core.js';
import { table } from '../support/each-row.js';
import { permissionRequest } from '../support/permission-request.js';
import { calls, run, tool } from '../support/pipeline.js';

const exec = tool('exec', () => 'exec ran', { sideEffect: 'mutating' });
const bash = tool('Bash', () => 'Bash ran', {
  sideEffect: 'network',
  targets: () => [{ kind: 'command', command: 'make' }],
});

async function ran(
  options: PermissionsOptions,
  registry = new ToolRegistry().register(exec, bash),
): Promise<boolean[]> {
  const { results } = await run([], calls('exec', 'Bash'), { registry, permissions: createPermissions(options) });
  return results.map(({ ok }) => ok);
}

describe('a rule matches the tool with exactly that name before an alias', () => {
  table<[PermissionsOptions, boolean[]]>([
    [{ allow: ['exec'] }, [true, false]],
    [{ mode: 'bypassPermissions', deny: ['exec'] }, [false, true]],
    [{ mode: 'bypassPermissions', deny: ['bash'] }, [true, false]],
    [{ mode: 'bypassPermissions', deny: ['shell'] }, [true, false]],
  ])('in every list', async (options, wanted) => {
    expect(await ran(options)).toEqual(wanted);
  });

  test('"always" for one does not allow the other', async () => {
    const permissions = createPermissions({ onAsk: ({ tool: name }) => (name === 'exec' ? 'allow-always' : 'deny') });
    const registry = new ToolRegistry().register(exec, bash);
    const { results } = await run([], calls('exec', 'Bash', 'exec'), { registry, permissions });
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true]);
  });
});

describe('deny and ask rules ignore letter case', () => {
  const names = ['Secret', 'secret', 'mcp__Mail__send', 'mcp__mail__SEND', 'Other'];
  const tools = names.map((name) => tool(name, () => 'ran', { sideEffect: 'mutating' }));

  table<[string, readonly string[]]>([
    ['SECRET', ['Secret', 'secret']],
    ['secret', ['Secret', 'secret']],
    ['Sec*', ['Secret', 'secret']],
    ['mcp__MAIL__send', ['mcp__Mail__send', 'mcp__mail__SEND']],
    ['MCP__mail', ['mcp__Mail__send', 'mcp__mail__SEND']],
    ['Secret(*)', ['Secret', 'secret']],
    ['other', ['Other']],
  ])('also if tools differ only in letter case; explain agrees with the run', async (rule, wanted) => {
    for (const list of ['deny', 'ask'] as const) {
      const permissions = createPermissions({ mode: 'bypassPermissions', [list]: [rule] });
      const { results } = await run(tools, calls(...names), { permissions });
      const refused = results.flatMap(({ ok, name }) => (ok ? [] : [name]));
      expect(refused).toEqual(wanted);
      expect(names.filter((name) => permissions.explain(permissionRequest(name)).behavior === list)).toEqual(wanted);
    }
  });

  test('allow rules do not ignore it', async () => {
    const permissions = createPermissions({ allow: ['SECRET', 'Secret'] });
    const { results } = await run(tools, calls(...names), { permissions });
    expect(results.flatMap(({ ok, name }) => (ok ? [name] : []))).toEqual(['Secret']);
  });
});

describe('allow and disable of a registry', () => {
  test('apply to a tool, not to its name', async () => {
    const registry = new ToolRegistry().register(bash).allow('Bash');
    registry.register(tool('Bash', () => 'mine', { sideEffect: 'spawns', replace: true }));
    const { results } = await run([], calls('Bash'), { registry, permissions: createPermissions() });
    expect(results).toMatchObject([{ ok: false, error: { code: 'permission_denied' } }]);
  });

  test('find the tool in any letter case', () => {
    expect(new ToolRegistry().register(bash).disable('bash').isDisabled('Bash')).toBe(true);
  });

  test('a resolver cannot replace a registered tool', async () => {
    const registry = new ToolRegistry().register(bash).allow('Bash');
    const toolResolver = () => tool('Bash', () => 'planted');
    const options = { registry, toolResolver, permissions: createPermissions() };
    const { results } = await run([], calls('helper', 'Bash'), options);
    expect(results).toMatchObject([{ error: { code: 'unknown_tool' } }, { output: 'Bash ran' }]);
  });
});

describe('checkCommand', () => {
  table<['allow' | 'ask' | 'deny', boolean]>([
    ['allow', true],
    ['deny', false],
    ['ask', false],
  ])('decides before allow rules', async (verdict, runs) => {
    const seen: string[] = [];
    const checkCommand = (command: string, { verdict: known }: { readonly verdict: string }) => {
      seen.push(`${command} ${known}`);
      return verdict;
    };
    const { results } = await run([bash], calls('Bash'), {
      permissions: createPermissions({ allow: ['Bash'], checkCommand, onAsk: () => 'deny' }),
    });
    expect(results[0]?.ok).toBe(runs);
    expect(seen).toEqual(['make ask']);
  });

  test('is not called after an answer of "always", and a deny rule has precedence', async () => {
    let checks = 0;
    const permissions = createPermissions({
      checkCommand: () => {
        checks += 1;
        return 'ask';
      },
      onAsk: () => 'allow-always',
    });
    for (let count = 0; count < 3; count++)
      expect((await run([bash], calls('Bash'), { permissions })).results[0]?.ok).toBe(true);
    expect(checks).toBe(1);
    permissions.addRules({ deny: ['Bash(make)'] });
    expect((await run([bash], calls('Bash'), { permissions })).results[0]?.ok).toBe(false);
  });

  test('denies if it throws', async () => {
    const checkCommand = () => {
      throw new Error('manager gone');
    };
    const permissions = createPermissions({ allow: ['Bash'], checkCommand });
    const { results } = await run([bash], calls('Bash'), { permissions });
    expect(results).toMatchObject([{ error: { code: 'permission_denied' } }]);
  });
});
