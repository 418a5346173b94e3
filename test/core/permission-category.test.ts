import { bashTool } from 'toolwright/tools';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import { defaultLimits, type SideEffect, Tool, ToolRegistry } from '../../src/core.js';
import { type PermissionCategory, permissionCategory } from '../../src/policy.js';
import { eachRow } from '../support/each-row.js';
import { tool } from '../support/pipeline.js';

const definition = { description: 'd', input: z.object({}), sideEffect: 'none' as const, execute: () => '' };

describe('the category of a tool', () => {
  test('follows from the side effect', () =>
    eachRow<[SideEffect, string]>(
      [
        ['none', 'read'],
        ['readonly', 'read'],
        ['mutating', 'write'],
        ['network', 'network'],
        ['blocking', 'execute'],
        ['spawns', 'execute'],
      ],
      ([sideEffect, category]) => {
        const made = Tool.define('A', { ...definition, sideEffect });
        expect(permissionCategory(made)).toBe(category);
        expect(made.permissions).toEqual({ required: [category], optional: [] });
        expect(permissionCategory({ sideEffect })).toBe(category);
      },
    ));

  test('is the first required permission, if given', () => {
    const made = Tool.define('A', {
      ...definition,
      permissions: { required: ['network', 'write'], optional: ['execute'] },
    });
    expect(permissionCategory(made)).toBe('network');
    expect(made.permissions.optional).toEqual(['execute']);
  });

  test('is execute for Bash, although it uses the network', () =>
    expect(permissionCategory(bashTool({ shell: { run: () => {} } as never, limits: defaultLimits }))).toBe('execute'));

  test('cannot be another word', () =>
    eachRow([['root'], ['__proto__'], [7]], ([category]) => {
      expect(() => Tool.define('A', { ...definition, permissions: { required: [category as never] } })).toThrow(
        'read, write, execute and network',
      );
      expect(() =>
        Tool.define('A', { ...definition, permissions: { required: [], optional: [category as never] } }),
      ).toThrow('read, write');
    }));
});

describe('enabled', () => {
  const registry = () =>
    new ToolRegistry().register(
      tool('Look', () => ''),
      tool('Change', () => '', { sideEffect: 'mutating' }),
      tool('Fetch', () => '', { sideEffect: 'network' }),
      tool('Publish', () => '', { permissions: { required: ['write', 'network'], optional: ['execute'] } }),
      tool('Free', () => '', { permissions: { required: [] } }),
    );

  test('with several permissions allows each of them', () =>
    eachRow<[PermissionCategory[], string[]]>(
      [
        [[], ['Free']],
        [['read'], ['Look', 'Free']],
        [['write'], ['Change', 'Free']],
        [
          ['write', 'network'],
          ['Change', 'Fetch', 'Publish', 'Free'],
        ],
        [
          ['read', 'write', 'execute', 'network'],
          ['Look', 'Change', 'Fetch', 'Publish', 'Free'],
        ],
      ],
      ([granted, names]) => {
        expect(
          registry()
            .enabled(granted)
            .map(({ name }) => name),
        ).toEqual(names);
        expect(registry().enabled(new Set(granted))).toHaveLength(names.length);
      },
    ));

  test('rejects an unknown permission', () => {
    for (const granted of [['raed'], 'read', ['read', undefined]])
      expect(() => registry().enabled(granted as never)).toThrow(/^enabled: permissions are read, write, execute and/);
  });

  test('uses the registered permissions of a pending tool, otherwise the strictest', () => {
    const later = (name: string) => Tool.define(name, () => definition);
    const all = new ToolRegistry()
      .register(later('Said'), { permissions: { required: ['read'] } })
      .register(
        tool('Described', () => ''),
        { permissions: { required: ['read'] }, descriptionPath: 'a.txt' },
      )
      .register(later('Unsaid'));
    expect(all.enabled(['read']).map(({ name }) => name)).toEqual(['Said', 'Described']);
    expect(all.enabled(['execute', 'network', 'write', 'read'])).toHaveLength(3);
  });

  test('omits disabled tools', async () => {
    const all = registry()
      .disable('Look')
      .register(Tool.define('Later', () => definition));
    expect(all.enabled(['read']).map(({ name }) => name)).toEqual(['Free']);
    await all.ready();
    expect(all.enabled(['read']).map(({ name }) => name)).toEqual(['Free', 'Later']);
  });
});
