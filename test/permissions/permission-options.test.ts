import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  createPermissions,
  type PermissionRequest,
  type PermissionsOptions,
  type RuleChanges,
} from '../../src/core.js';
import { commandTarget } from '../../src/shell/assess/judge-command.js';
import { samples, table } from '../support/each-row.js';
import { permissionRequest } from '../support/permission-request.js';

const scope = { caller: { sessionId: 's1' }, signal: new AbortController().signal };

const request = (tool: string, input: unknown = {}, more: Partial<PermissionRequest> = {}) =>
  permissionRequest(tool, { input, ...more });
const bash = (command: string, more: Partial<PermissionRequest> = {}) =>
  request('Bash', { command }, { sideEffect: 'network', risk: 'high', ...more });

describe('options of the wrong type are rejected by name', () => {
  table<[string, object, RegExp]>([
    ['autoAllow as another word', { autoAllow: 'none' }, /autoAllow takes true, false or "low-risk", not "none"/],
    ['autoAllow null', { autoAllow: null }, /autoAllow/],
    ['autoAllow 0', { autoAllow: 0 }, /autoAllow/],
    ['onAsk a number', { onAsk: 5 }, /onAsk takes a function, not a number/],
    ['onAsk a word', { onAsk: 'allow-once' }, /onAsk/],
    ['checkCommand a word', { checkCommand: 'deny' }, /checkCommand takes a function/],
    ['root relative', { root: 'rel' }, /root takes an absolute path, not "rel"/],
    ['deny a text', { deny: 'Read' }, /deny takes a list/],
    ['deny null', { deny: null }, /deny takes a list/],
    ['deny an object', { deny: { 0: 'Read' } }, /deny takes a list/],
    ['deny a list of lists', { deny: [['Read']] }, /rule/],
    ['allow a number in a list', { allow: [5] }, /rule/],
    ['ask a text', { ask: 'Read' }, /ask takes a list/],
    ['mode null', { mode: null }, /mode/i],
    ['mode misspelt', { mode: 'defualt' }, /default/],
    ['an unknown key', { alow: [] }, /alow is no option. Did you mean "allow"/],
    ['no object', [], /createPermissions takes an object/],
    ['null', null as never, /createPermissions takes an object/],
  ])('options of createPermissions', (_name, options, message) => {
    expect(() => createPermissions(options)).toThrow(TypeError);
    expect(() => createPermissions(options)).toThrow(message);
  });

  test('undefined counts as omitted', () => {
    const names = samples`mode ¦ allow ¦ ask ¦ deny ¦ onAsk ¦ checkCommand ¦ classify ¦ root ¦ autoAllow`;
    const nothing = Object.fromEntries(names.map((name) => [name, undefined])) as PermissionsOptions;
    expectTypeOf<{ [Name in keyof PermissionsOptions]: undefined }>().toExtend<PermissionsOptions>();
    expect(createPermissions(nothing).explain(request('Read', { file_path: '/ws/a' })).source).toBe('auto');
  });
});

describe('rules that are added or removed later', () => {
  table<[string, unknown, RegExp]>([
    ['a misspelt kind', { denny: ['Read'] }, /denny is no option. Did you mean "deny"/],
    ['a list in place of kinds', ['Read'], /takes an object/],
    ['a text in place of kinds', 'Read', /takes an object/],
    ['null', null, /takes an object/],
    ['nothing', undefined, /takes an object/],
    ['a text in place of a list', { deny: 'Read' }, /deny takes a list of texts/],
    ['a number in a list', { deny: [5] }, /deny takes a list of texts/],
  ])('are rejected by name if they have the wrong type', (_name, changes, message) => {
    const permissions = createPermissions();
    expect(() => permissions.addRules(changes as RuleChanges)).toThrow(TypeError);
    expect(() => permissions.addRules(changes as RuleChanges)).toThrow(message);
    expect(() => permissions.removeRules(changes as RuleChanges)).toThrow(message);
  });

  test('are all rejected if one is invalid', () => {
    const permissions = createPermissions();
    expect(() => permissions.addRules({ allow: ['Write'], deny: ['Bash('] })).toThrow(TypeError);
    expect(permissions.explain(request('Write', { file_path: '/ws/a' })).behavior).toBe('ask');
  });

  test('may be of all kinds at once', () => {
    const permissions = createPermissions();
    permissions.addRules({ allow: ['Write'], ask: ['Edit'], deny: ['Bash'] });
    const sources = () => ['Write', 'Edit', 'Bash'].map((tool) => permissions.explain(request(tool)).source);
    expect(sources()).toEqual(['allow', 'ask', 'deny']);
    permissions.removeRules({ allow: ['Write'], ask: undefined, deny: ['Bash'] });
    expect(sources()).toEqual(['mode', 'ask', 'mode']);
  });
});

describe('explain includes the safety policy', () => {
  const modes = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const;
  table(modes)('a command that destroys the machine is denied by safety in each mode', (mode) => {
    const { behavior, source, reason } = createPermissions({ mode, allow: ['Bash'] }).explain(bash('cd /; rm -rf /'));
    expect([behavior, source]).toEqual(['deny', 'safety']);
    expect(reason).toMatch(/safety policy/);
  });

  test('the safety policy has precedence over a deny rule', () => {
    expect(createPermissions({ deny: ['Bash'] }).explain(bash('rm -rf /')).source).toBe('safety');
  });

  table(['bash', 'exec', 'shell'])('under each name of the tool', (tool) => {
    expect(
      createPermissions({ mode: 'bypassPermissions' }).explain(
        request(tool, {}, { targets: [{ kind: 'command', command: 'rm -rf /' }] }),
      ),
    ).toMatchObject({
      behavior: 'deny',
      source: 'safety',
    });
  });

  test('the facts of the request about paths count', () => {
    const paths = { allowRecursiveDelete: (path: string) => path === 'build' };
    const targets = [commandTarget('rm -rf build', paths, undefined)];
    expect(createPermissions().explain(bash('rm -rf build')).source).toBe('safety');
    expect(createPermissions().explain(bash('rm -rf build', { targets })).source).toBe('mode');
  });

  test('a persistent effect asks in spite of an allow rule', () => {
    const permissions = createPermissions({ allow: ['Bash'] });
    expect(permissions.explain(bash('crontab jobs'))).toMatchObject({ behavior: 'ask', source: 'safety' });
    expect(permissions.explain(bash('crontab jobs', { mustAsk: undefined })).source).toBe('safety');
    expect(permissions.explain(bash('crontab jobs', { mustAsk: 'the tool says so' })).reason).toBe('the tool says so');
    expect(createPermissions({ mode: 'bypassPermissions' }).explain(bash('crontab jobs')).behavior).toBe('allow');
  });

  test('a harmless command is decided by the rules', () => {
    expect(createPermissions({ allow: ['Bash(make *)'] }).explain(bash('make all')).source).toBe('allow');
    expect(createPermissions().explain(bash('make all')).source).toBe('mode');
  });
});

describe('plan mode without a pipeline', () => {
  test('denies calls with effects in spite of allow rules', async () => {
    const willing: PermissionsOptions = { onAsk: () => 'allow-once', checkCommand: () => 'allow' };
    const permissions = createPermissions({ mode: 'plan', allow: ['Write'], ...willing });
    const behaviorOf = async (asked: PermissionRequest) => (await permissions.check(asked, scope)).behavior;
    expect([await behaviorOf(request('Write')), await behaviorOf(bash('make'))]).toEqual(['deny', 'deny']);
    expect(await behaviorOf(request('Read', { file_path: '/ws/a' }, { sideEffect: 'readonly' }))).toBe('allow');
  });

  test('explain says that plan mode queues the call', () => {
    const permissions = createPermissions({ mode: 'plan', allow: ['Write'], deny: ['Edit'] });
    expect(permissions.explain(request('Write'))).toMatchObject({ behavior: 'deny', source: 'mode' });
    expect(permissions.explain(request('Edit'))).toMatchObject({ behavior: 'deny', source: 'deny' });
    expect(permissions.explain(request('Write', {}, { isApproved: true }))).toMatchObject({ behavior: 'allow' });
  });
});
