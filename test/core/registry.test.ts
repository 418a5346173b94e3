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
  test('are in the order of registration, and a tool of the same name is replaced in place with replace', () => {
    const registry = three();
    const other = tool('Two', () => 'other', { replace: true });
    registry.register(other);
    expect(registry.names()).toEqual(['One', 'Two', 'Three']);
    expect(registry.get('Two')).toBe(other);
  });

  test('of one name are rejected, built-in or not, with all tools of the same call', () => {
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

  test('are removed with their allow and disable entries', () => {
    const registry = three().allow('Two').disable('Two');
    expect(registry.unregister('Two')).toBe(true);
    expect(registry.unregister('Two')).toBe(false);
    registry.register(tool('Two', () => ''));
    expect([registry.isAllowed('Two'), registry.isDisabled('Two')]).toEqual([false, false]);
  });

  test('are removed by prefix, others stay', () => {
    const registry = three().register(
      tool('mcp__a__x', () => ''),
      tool('mcp__a__y', () => ''),
      tool('mcp__ab__x', () => ''),
    );
    expect(registry.unregisterPrefix('mcp__a__')).toBe(2);
    expect(registry.names()).toEqual(['One', 'Two', 'Three', 'mcp__ab__x']);
  });

  test('an invalid tool is rejected', () =>
    eachRow([undefined, null, {}, { name: 'x' }, 'x'], (value) =>
      expect(() => new ToolRegistry().register(value as never)).toThrow('Tool.define'),
    ));

  test('the revision changes with each change only', () => {
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

  test('a snapshot does not change', () => {
    const registry = three();
    const snapshot = registry.snapshot();
    registry.unregister('One');
    expect([...snapshot.keys()]).toEqual(['One', 'Two', 'Three']);
    expect(registry.names()).toEqual(['Two', 'Three']);
  });

  test('a clone is independent, with the same entries, aliases and groups', () => {
    const registry = three().allow('One').disable('Two').alias('uno', 'One').setGroup('few', ['One']);
    const clone = registry.clone();
    clone.unregister('One');
    expect(registry.names()).toHaveLength(3);
    expect(clone.isDisabled('Two')).toBe(true);
    expect(registry.clone().find('uno')?.name).toBe('One');
    expect(registry.clone().groups().get('few')).toEqual(['One']);
  });

  test('a clone allows no more tools than the registry', () => {
    const registry = new ToolRegistry().allow('one').register(tool('One', () => ''));
    expect([registry.isAllowed('One'), registry.clone().isAllowed('One')]).toEqual([false, false]);
  });

  test('are disabled by any name that leads to them, before and after their registration', () => {
    const late = [tool('Bash', () => ''), tool('Late', () => '')];
    const registry = new ToolRegistry().disable('exec', 'late').register(...late);
    expect(registry.definitions()).toEqual([]);
    expect(registry.clone().definitions()).toEqual([]);
    registry.enable('exec', 'late').register(...late);
    expect(registry.definitions()).toHaveLength(2);
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
  ])('common names of other agents are aliases', (alias, name) =>
    expect(new ToolRegistry().register(tool(name, () => '')).find(alias)?.name).toBe(name),
  );

  test('two names that differ only in letter case are ambiguous', () =>
    expect(
      new ToolRegistry()
        .register(
          tool('ab', () => ''),
          tool('aB', () => ''),
        )
        .find('AB'),
    ).toBeUndefined());

  test('suggestions omit disabled tools', () => {
    expect(three().near('Tow')).toEqual(['Two']);
    expect(three().disable('Two').near('Tow')).toEqual([]);
  });
});

describe('definitions', () => {
  test('are copies that the caller may change', () => {
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

  test('omit disabled tools until they are enabled', () => {
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

test('listeners get registrations until they unsubscribe, and cannot disturb the registry', () => {
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

test('a listener that is added twice hears each event twice, and each removal counts once', () => {
  let heard = 0;
  const registry = new ToolRegistry();
  const listener = () => void heard++;
  const leave = registry.subscribe(listener);
  registry.subscribe(listener);
  registry.register(tool('One', () => ''));
  leave();
  registry.register(tool('Two', () => ''));
  expect(heard).toBe(3);
});
