import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type AskAnswer, createPermissions, type PermissionRequest, type PermissionsOptions } from '../../src/core.js';
import { table } from '../support/each-row.js';
import { permissionRequest } from '../support/permission-request.js';
import { settle } from '../support/pipeline.js';

const scope = { caller: { sessionId: 's1' }, signal: new AbortController().signal };
const root = '/ws';

const request = (tool: string, input: unknown = {}, more: Partial<PermissionRequest> = {}) =>
  permissionRequest(tool, { input, ...more });
const bash = (command: string) => request('Bash', { command }, { sideEffect: 'network', risk: 'high' });
const edit = (path: string, tool = 'Edit') => request(tool, { file_path: path });
const read = (path: string) => request('Read', { file_path: path }, { sideEffect: 'none', risk: 'none' });

function behavior(options: PermissionsOptions, asked: PermissionRequest): string {
  return createPermissions({ root, ...options }).explain(asked).behavior;
}

describe('example cases', () => {
  interface Rule {
    readonly tool: string;
    readonly prefix?: string;
    readonly path?: string;
  }
  interface Case {
    readonly id: string;
    readonly rules: { [Kind in 'allow' | 'ask' | 'deny']?: Rule[] } & { readonly remembered?: string[] };
    readonly call: { readonly tool: string; readonly input: Record<string, string> };
    readonly expect: 'allow' | 'ask' | 'deny' | 'not_allow';
  }
  const cases: Case[] = JSON.parse(readFileSync(new URL('../fixtures/permission-rules.json', import.meta.url), 'utf8'));
  const write = ({ tool, prefix, path }: Rule) => (prefix ? `${tool}(${prefix} *)` : path ? `${tool}(${path})` : tool);

  table(cases)('the examples are decided as documented', async ({ rules, call, expect: wanted }) => {
    const [allow, ask, deny] = [rules.allow ?? [], rules.ask ?? [], rules.deny ?? []].map((list) => list.map(write));
    const onAsk = () => 'allow-always' as const;
    const permissions = createPermissions({ root, autoAllow: false, allow, ask, deny, onAsk });
    for (const command of rules.remembered ?? []) await permissions.check(bash(command), scope);
    const input = Object.entries(call.input).map(([key, value]) => [key, value.replaceAll('${WS}', root)]);
    const decision = permissions.decide?.(request(call.tool, Object.fromEntries(input)), scope.caller);
    const came = decision?.behavior ?? 'ask';
    if (wanted === 'not_allow') expect(came).not.toBe('allow');
    else expect(came).toBe(wanted);
  });
});

const bypass = { mode: 'bypassPermissions' } as const;
const risky = (risk: 'none' | 'low', tool = 'TodoWrite') => request(tool, {}, { risk });

describe('precedence: deny, ask, allow, auto-allowed, mode', () => {
  table<[string, PermissionsOptions, PermissionRequest, string]>([
    ['deny beats allow', { allow: ['Edit'], deny: ['Edit'] }, edit('/ws/a'), 'deny'],
    ['deny beats ask', { ask: ['Edit'], deny: ['Edit'] }, edit('/ws/a'), 'deny'],
    ['ask beats allow', { allow: ['Edit'], ask: ['Edit'] }, edit('/ws/a'), 'ask'],
    ['an ask rule is above auto-allowance', { ask: ['Read'] }, read('/ws/a'), 'ask'],
    ['a deny rule is above auto-allowance', { deny: ['Read(**/.env)'] }, read('/ws/x/.env'), 'deny'],
    ['a deny rule is above bypassPermissions', { ...bypass, deny: ['Edit(a/**)'] }, edit('/ws/a/a'), 'deny'],
    ['an ask rule is above bypassPermissions', { ...bypass, ask: ['Edit'] }, edit('/ws/a'), 'ask'],
    ['bypassPermissions runs the rest', bypass, bash('make'), 'allow'],
    ['dontAsk denies what would be asked', { mode: 'dontAsk' }, bash('make'), 'deny'],
    ['dontAsk denies what an ask rule asks', { mode: 'dontAsk', ask: ['Bash'] }, bash('make'), 'deny'],
    ['dontAsk keeps allow rules', { mode: 'dontAsk', allow: ['Bash(make)'] }, bash('make'), 'allow'],
    ['default asks', {}, bash('make'), 'ask'],
    ['plan decides as default', { mode: 'plan' }, read('/ws/a'), 'allow'],
    ['the marked tools run', {}, read('/ws/a'), 'allow'],
    ['autoAllow false asks for them', { autoAllow: false }, read('/ws/a'), 'ask'],
    ['risk none runs', {}, risky('none'), 'allow'],
    ['also where what would be asked is denied', { mode: 'dontAsk' }, risky('none'), 'allow'],
    ['autoAllow false asks for it', { autoAllow: false }, risky('none'), 'ask'],
    ['a deny rule is above it', { deny: ['TodoWrite'] }, risky('none'), 'deny'],
    ['a server saying so of its own tool does not count', {}, risky('none', 'mcp__a__b'), 'ask'],
    ['low risk is asked', {}, risky('low'), 'ask'],
    ['autoAllow low-risk lets low risk run', { autoAllow: 'low-risk' }, risky('low'), 'allow'],
    ['autoAllow low-risk asks for medium risk', { autoAllow: 'low-risk' }, edit('/ws/a'), 'ask'],
    ['an allow rule never narrows', { allow: ['Read(src/**)'] }, read('/ws/other'), 'allow'],
    [
      'what the tool demands is asked in spite of a rule',
      { allow: ['Edit'] },
      { ...edit('/ws/a'), mustAsk: 'x' },
      'ask',
    ],
    ['and in acceptEdits', { mode: 'acceptEdits' }, { ...edit('/ws/a'), mustAsk: 'a git hook' }, 'ask'],
  ])('each has precedence over the next', (_, options, asked, wanted) => {
    expect(behavior(options, asked)).toBe(wanted);
  });
});

describe('rules', () => {
  table<[string, PermissionRequest, boolean]>([
    ['*', bash('anything'), true],
    ['Edit', edit('/ws/a'), true],
    ['Edit', edit('/ws/a', 'Write'), false],
    ['Edit(src/**)', edit('/ws/src/deep/a.ts'), true],
    ['Edit(src/**)', edit('/ws/src/a.ts', 'Write'), true],
    ['Edit(src/**)', request('NotebookEdit', { notebook_path: '/ws/src/a.ipynb' }), true],
    ['Edit(src/**)', edit('/ws/srcx/a.ts'), false],
    ['Edit(src/**)', edit('/ws/src/../key.pem'), false],
    ['Edit(src/)', edit('/ws/src/a.ts'), true],
    ['Edit(/etc/**)', edit('/etc/hosts'), true],
    ['Edit(*.md)', edit('/ws/a.md'), true],
    ['Edit(*.md)', edit('/ws/docs/a.md'), false],
    ['Edit(**/*.md)', edit('/ws/docs/.hidden/a.md'), true],
    ['Read(src/**)', edit('/ws/src/a.ts'), false],
    ['mcp__github', request('mcp__github__search'), true],
    ['mcp__github__*', request('mcp__github__search'), true],
    ['mcp__github', request('mcp__githubx__search'), false],
    ['mcp__github__get_*', request('mcp__github__get_issue'), true],
    ['mcp__github__get_*', request('mcp__github__set_issue'), false],
    ['WebFetch(domain:example.com)', request('WebFetch', { url: 'https://docs.example.com/a' }), true],
    ['WebFetch(domain:example.com)', request('WebFetch', { url: 'https://EXAMPLE.com./a' }), true],
    ['WebFetch(domain:example.com)', request('WebFetch', { url: 'https://notexample.com/a' }), false],
    ['WebFetch(domain:example.com)', request('WebFetch', { url: 'https://example.com.evil.org/' }), false],
    ['WebFetch(domain:example.com)', request('WebFetch', { url: 'https://example.com@evil.org/' }), false],
    ['Agent(reviewer)', request('Agent', { subagent_type: 'reviewer' }), true],
    ['Task(reviewer)', request('Agent', { subagent_type: 'reviewer' }), true],
    ['Agent(reviewer)', request('Agent', {}), false],
    ['Bash(git status)', bash('git status'), true],
    ['Bash(git status)', bash('git status; rm x'), false],
    ['Bash(npm run *)', bash('npm run build --fast'), true],
    ['Bash(npm run:*)', bash('npm run build'), true],
    ['Bash', bash('a; b | c'), true],
  ])('an allow rule covers only its own calls', (rule, asked, isAllowed) => {
    expect(behavior({ allow: [rule], autoAllow: false }, asked)).toBe(isAllowed ? 'allow' : 'ask');
  });

  test('parts of a line may be allowed by different rules', () => {
    const allow = ['Bash(npm test)', 'Bash(git status)'];
    expect(behavior({ allow }, bash('npm test && git status'))).toBe('allow');
    expect(behavior({ allow }, bash('npm test && git push'))).toBe('ask');
  });

  test('a possible match of a deny rule asks, also in bypassPermissions', () => {
    expect(behavior({ mode: 'bypassPermissions', deny: ['Bash(npm publish)'] }, bash('npm $(cat x)'))).toBe('ask');
  });

  test('deny rules match the given and the real path of a file, allow rules the real one', () => {
    const linked = request('Read', {}, { targets: [{ kind: 'read', path: '/ws/real/a', given: '/ws/link/a', root }] });
    expect(behavior({ deny: ['Read(link/**)'] }, linked)).toBe('deny');
    expect(behavior({ deny: ['Read(real/**)'] }, linked)).toBe('deny');
    expect(behavior({ autoAllow: false, allow: ['Read(link/**)'] }, linked)).toBe('ask');
  });

  test('a call is allowed if rules cover each of its targets', () => {
    const targets = ['/ws/a', '/ws/b'].map((path) => ({ kind: 'read', path, root }) as const);
    const both = request('Compare', {}, { targets });
    expect(behavior({ allow: ['Read(a)', 'Read(b)'] }, both)).toBe('allow');
    expect(behavior({ allow: ['Read(a)', 'Read(c)'] }, both)).toBe('ask');
  });

  test('deny rules ignore letter case', () => {
    expect(behavior({ deny: ['Read(**/.env)'] }, read('/ws/.ENV'))).toBe('deny');
  });

  table(['', 'Bash(', '(x)', 'a b', 7, null])('an invalid rule is rejected', (rule) => {
    expect(() => createPermissions({ allow: [rule as string] })).toThrow(TypeError);
  });

  // A rule from an empty variable must not allow everything.
  table(['Bash()', 'Edit( )'])('an empty pattern is rejected', (rule) => {
    expect(() => createPermissions({ allow: [rule] })).toThrow('empty pattern');
  });

  test('rules and mode change at run time', () => {
    const permissions = createPermissions({ root });
    permissions.addRules({ allow: ['Bash(make)'] });
    expect(permissions.explain(bash('make'))).toMatchObject({ behavior: 'allow', source: 'allow', rule: 'Bash(make)' });
    permissions.removeRules({ allow: ['Bash(make)'] });
    expect(permissions.explain(bash('make')).behavior).toBe('ask');
    permissions.setMode('dontAsk');
    expect(permissions.explain(bash('make'))).toMatchObject({ behavior: 'deny', source: 'mode' });
    expect(() => permissions.setMode('yolo' as never)).toThrow('unknown');
  });
});

describe('questions', () => {
  const deciding = (onAsk: PermissionsOptions['onAsk'] & {}) => createPermissions({ root, onAsk });

  table<[AskAnswer, object?]>([
    ['allow-once', { behavior: 'allow' }],
    ['allow-always', { behavior: 'allow' }],
    ['deny', { behavior: 'deny' }],
    [{ behavior: 'deny', message: 'mine', interrupt: true }],
    [{ behavior: 'allow', updatedInput: { command: 'ls' } }],
  ])('each answer gives its decision', async (answer, wanted = answer as object) => {
    expect(await deciding(() => answer).check(bash('make'), scope)).toMatchObject(wanted);
  });

  test('without onAsk the call is denied, and the message names the option', async () => {
    const decision = await createPermissions({ root }).check(bash('make test'), scope);
    expect(decision).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('createPermissions({ allow: ["Bash(make test)"] })'),
    });
  });

  test('"always" is remembered for the session, exactly', async () => {
    let asked = 0;
    const permissions = deciding(() => {
      asked += 1;
      return 'allow-always';
    });
    await permissions.check(bash('make test'), scope);
    await permissions.check(bash('make test'), scope);
    expect(asked).toBe(1);
    await permissions.check(bash('make install'), scope);
    await permissions.check(bash('make test'), { ...scope, caller: { sessionId: 'other' } });
    expect(asked).toBe(3);
  });

  test('"always" never remembers an interpreter', async () => {
    const permissions = deciding((asked) => {
      expect(asked.suggestions).toEqual([]);
      return 'allow-always';
    });
    await permissions.check(bash('bash -c "make"'), scope);
    expect(permissions.explain(bash('bash -c "make"')).behavior).toBe('ask');
  });

  test('the question has its reason and suggestions', async () => {
    let seen: PermissionRequest | undefined;
    const onAsk = (asked: PermissionRequest): AskAnswer => {
      seen = asked;
      return 'deny';
    };
    await createPermissions({ root, ask: ['Edit'], onAsk }).check(edit('/ws/a.ts'), scope);
    expect(seen).toMatchObject({ reason: 'The rule Edit asks before this call.', suggestions: ['Edit(/ws/a.ts)'] });
  });

  test('questions never overlap, and an unanswered one times out', async () => {
    const stop = new AbortController();
    const open: string[] = [];
    const answers = new Map<string, (answer: AskAnswer) => void>();
    const permissions = deciding(({ callId }) => {
      open.push(callId);
      return new Promise<AskAnswer>((resolve) => answers.set(callId, resolve));
    });
    const ask = (callId: string, signal = scope.signal) =>
      permissions.check({ ...bash(`make ${callId}`), callId }, { ...scope, signal });
    const asked = [ask('a'), ask('b', stop.signal), ask('c')];
    await settle();
    expect(open).toEqual(['a']);
    answers.get('a')?.('allow-once');
    await settle();
    expect(open).toEqual(['a', 'b']);
    stop.abort(new Error('too late'));
    await expect(asked[1]).rejects.toThrow('too late');
    await settle();
    expect(open).toEqual(['a', 'b', 'c']);
    answers.get('c')?.('deny');
    expect(await Promise.allSettled(asked)).toMatchObject([
      { value: { behavior: 'allow' } },
      { status: 'rejected' },
      { value: { behavior: 'deny' } },
    ]);
  });
});

describe('a pattern that matches everything', () => {
  table<[string, PermissionRequest]>([
    ['Edit(*)', edit('/ws/deep/a', 'Write')],
    ['Edit(**)', edit('/ws/deep/a', 'Write')],
    ['Read(*)', request('Grep', { pattern: 'x' })],
    ['Bash(*)', bash('a; b')],
  ])('denies every call with a target', (rule, asked) => {
    expect(behavior({ mode: 'bypassPermissions', deny: [rule] }, asked)).toBe('deny');
  });

  table(['Read(**/.env)', '*(**/.env)', 'Grep(**/.env)', 'read(**/.env)'])(
    'hides files from searches if it is for paths',
    (rule) => {
      expect(createPermissions({ deny: [rule] }).hidesPath('/ws/a/.env', '/ws')).toBe(true);
      expect(createPermissions({ deny: [rule] }).hidesPath('/ws/a/b', '/ws')).toBe(false);
      expect(createPermissions({ ask: [rule] }).hidesPath('/ws/a/.env', '/ws', 'searches')).toBe(true);
      expect(createPermissions({ ask: [rule] }).hidesPath('/ws/a/.env', '/ws')).toBe(false);
    },
  );
});
