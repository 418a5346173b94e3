import { describe, expect, test } from 'vitest';
import { type RegistryEvent, Tool, ToolRegistry } from '../../src/core.js';
import { eachRow, table } from '../support/each-row.js';
import { tool } from '../support/pipeline.js';

const three = () =>
  new ToolRegistry().register(
    tool('One', () => ''),
    tool('Two', () => ''),
    tool('Three', () => ''),
  );

describe('tools', () => {
  test('stand in the order of registration, and one of the same name is replaced in place where that is said', () => {
    const registry = three();
    const other = tool('Two', () => 'other', { replace: true });
    registry.register(other);
    expect(registry.names()).toEqual(['One', 'Two', 'Three']);
    expect(registry.get('Two')).toBe(other);
  });

  test('of one name refuse to register, built in or not, and none that came with them is added', () => {
    const own = tool('Two', () => 'own');
    const builtin = new ToolRegistry({ builtin: [tool('One', () => ''), tool('Two', () => '')] });
    const registered = new ToolRegistry().register(
      tool('One', () => ''),
      tool('Two', () => ''),
    );
    for (const any of [builtin, builtin.clone(), registered, registered.clone()]) {
      const before = any.get('Two');
      const add = () =>
        any.register(
          tool('New', () => ''),
          own,
        );
      expect(add).toThrow(/Two is (a built-in tool|registered already): pass replace: true/);
      expect([any.get('Two'), any.names()]).toEqual([before, ['One', 'Two']]);
      if (before !== undefined) any.register(before);
      const other = tool('Two', () => 'other', { replace: true });
      expect(any.register(other).get('Two')).toBe(other);
    }
    expect(() =>
      new ToolRegistry().register(
        own,
        tool('Two', () => ''),
      ),
    ).toThrow('Two is registered already');
  });

  test('go with their marks', () => {
    const registry = three().allow('Two').disable('Two');
    expect(registry.unregister('Two')).toBe(true);
    expect(registry.unregister('Two')).toBe(false);
    registry.register(tool('Two', () => ''));
    expect([registry.isAllowed('Two'), registry.isDisabled('Two')]).toEqual([false, false]);
  });

  test('go by prefix, others stay', () => {
    const registry = three().register(
      tool('mcp__a__x', () => ''),
      tool('mcp__a__y', () => ''),
      tool('mcp__ab__x', () => ''),
    );
    expect(registry.unregisterPrefix('mcp__a__')).toBe(2);
    expect(registry.names()).toEqual(['One', 'Two', 'Three', 'mcp__ab__x']);
  });

  test('what is no tool is refused', () =>
    eachRow([undefined, null, {}, { name: 'x' }, 'x'], (value) =>
      expect(() => new ToolRegistry().register(value as never)).toThrow('Tool.define'),
    ));

  test('the revision is another after each change, and the same after none', () => {
    const registry = three();
    const changes: readonly ((all: ToolRegistry) => unknown)[] = [
      (all) => all.register(tool('Four', () => '')),
      (all) => all.unregister('Four'),
      (all) => all.allow('One'),
      (all) => all.disable('One'),
      (all) => all.enable('One'),
      (all) => all.alias('uno', 'One'),
      (all) => all.setGroup('some', ['One']),
    ];
    for (const change of changes) {
      const { revision } = registry;
      for (const look of [() => registry.definitions(), () => registry.clone(), () => registry.snapshot()]) look();
      registry.unregister('Five');
      expect(registry.revision).toBe(revision);
      change(registry);
      expect(registry.revision).not.toBe(revision);
    }
  });

  test('a snapshot stays as it was', () => {
    const registry = three();
    const snapshot = registry.snapshot();
    registry.unregister('One');
    expect([...snapshot.keys()]).toEqual(['One', 'Two', 'Three']);
    expect(registry.names()).toEqual(['Two', 'Three']);
  });

  test('a clone is its own, with the same marks, aliases and groups', () => {
    const registry = three().allow('One').disable('Two').alias('uno', 'One').setGroup('few', ['One']);
    const clone = registry.clone();
    clone.unregister('One');
    expect(registry.names()).toHaveLength(3);
    expect(clone.isDisabled('Two')).toBe(true);
    expect(registry.clone().find('uno')?.name).toBe('One');
    expect(registry.clone().groups().get('few')).toEqual(['One']);
  });
});

describe('finding', () => {
  test('an alias leads to a tool in one step, and never shadows a tool of that name', () => {
    const registry = new ToolRegistry({ aliases: { a: 'One', b: 'a', Two: 'One' } }).register(
      tool('One', () => ''),
      tool('Two', () => ''),
    );
    expect(registry.find('a')?.name).toBe('One');
    expect(registry.find('b')).toBeUndefined();
    expect(registry.find('Two')?.name).toBe('Two');
    expect([...registry.aliases()]).toEqual([['a', 'One']]);
  });

  table([
    ['read_file', 'Read'],
    ['FileRead', 'Read'],
    ['bash', 'Bash'],
    ['exec', 'Bash'],
    ['Task', 'Agent'],
    ['web_fetch', 'WebFetch'],
  ])('common names of other agents lead to the tools', (alias, name) =>
    expect(new ToolRegistry().register(tool(name, () => '')).find(alias)?.name).toBe(name),
  );

  test('two names that differ in letter case alone are not guessed between', () =>
    expect(
      new ToolRegistry()
        .register(
          tool('ab', () => ''),
          tool('aB', () => ''),
        )
        .find('AB'),
    ).toBeUndefined());

  test('near names leave out disabled tools', () => {
    expect(three().near('Tow')).toEqual(['Two']);
    expect(three().disable('Two').near('Tow')).toEqual([]);
  });
});

describe('definitions', () => {
  test('are copies that whoever asked may change', () => {
    const made = Tool.define('One', {
      description: 'A tool.',
      input: { type: 'object', properties: { list: { type: 'array', items: { type: 'string' } } } },
      sideEffect: 'none',
      examples: [{ list: ['a'] }],
      execute: () => '',
    });
    const registry = new ToolRegistry().register(made);
    const wanted = JSON.stringify(registry.definitions());
    const change = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const entry of Object.values(value)) change(entry);
      if (Array.isArray(value)) value.push('changed');
      else Object.assign(value, { $id: 'changed' });
    };
    change(registry.definitions());
    expect(JSON.stringify(registry.definitions())).toBe(wanted);
    expect(registry.definitions()).toMatchObject([{ inputExamples: [{ list: ['a'] }] }]);
  });

  test('leave out disabled tools until they are enabled', () => {
    const registry = three().disable('Two');
    expect(registry.definitions().map(({ name }) => name)).toEqual(['One', 'Three']);
    expect(registry.enable('Two').definitions()).toHaveLength(3);
  });

  test('can be selected', () =>
    expect(three().definitions(({ name }) => name === 'One')).toMatchObject([
      { name: 'One', description: 'Test tool One.' },
    ]));
});

test('groups come from the tools and from the host', () => {
  const registry = new ToolRegistry().register(
    tool('Read', () => '', { groups: ['fs'] }),
    tool('Write', () => '', { groups: ['fs'] }),
  );
  registry.setGroup('fs', ['Other', 'Read']).setGroup('mine', ['Read']);
  expect(Object.fromEntries(registry.groups())).toEqual({ fs: ['Read', 'Write', 'Other'], mine: ['Read'] });
});

test('listeners hear what is registered and unregistered until they leave, and cannot disturb it', () => {
  const events: RegistryEvent[] = [];
  const registry = new ToolRegistry();
  registry.subscribe(() => {
    throw new Error('listener');
  });
  const leave = registry.subscribe((event) => events.push(event));
  registry.register(tool('One', () => '')).unregister('One');
  leave();
  registry.register(tool('Two', () => ''));
  expect(events).toEqual([
    { type: 'tool-register', name: 'One' },
    { type: 'tool-unregister', name: 'One' },
  ]);
});
