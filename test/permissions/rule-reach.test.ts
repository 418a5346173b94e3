import { describe, expect, test } from 'vitest';
import { createPermissions, type PermissionRequest, type PermissionsOptions, type Target } from '../../src/core.js';
import { lintRules } from '../../src/policy.js';
import { samples, table } from '../support/each-row.js';
import { permissionRequest } from '../support/permission-request.js';

const root = '/ws';
const scope = { caller: { sessionId: 's1' }, signal: new AbortController().signal };

const request = (tool: string, target?: Target, more: Partial<PermissionRequest> = {}) =>
  permissionRequest(tool, { targets: target === undefined ? [] : [target], ...more });
const url = (address: string, tool = 'WebFetch') => request(tool, { kind: 'url', url: address });
const command = (line: string, tool = 'Bash') => request(tool, { kind: 'command', command: line });
const agent = (type: string, tool = 'Agent') => request(tool, { kind: 'agent', type });
const edit = (path: string, tool = 'Edit') => request(tool, { kind: 'edit', path, root });

function behavior(options: PermissionsOptions, asked: PermissionRequest): string {
  return createPermissions({ root, mode: 'bypassPermissions', ...options }).explain(asked).behavior;
}

async function asking(asked: PermissionRequest) {
  let shown = asked;
  const permissions = createPermissions({
    root,
    onAsk: (seen) => {
      shown = seen;
      return 'allow-always';
    },
  });
  await permissions.check(asked, scope);
  return { shown, later: (other: PermissionRequest) => permissions.explain(other, scope.caller).behavior };
}

test('a rule for a command may have any number of stars, and the last part counts too', () => {
  const pattern = `Bash(echo ${'a*'.repeat(20)}z)`;
  expect(behavior({ deny: [pattern] }, command(`echo ${'ab'.repeat(20)}z`))).toBe('deny');
  expect(behavior({ mode: 'dontAsk', allow: [pattern] }, command(`echo ${'ab'.repeat(20)}z`))).toBe('allow');
  expect(behavior({ mode: 'dontAsk', allow: [pattern] }, command(`echo ${'ab'.repeat(20)}y`))).toBe('deny');
});

test('a denial by mode dontAsk names the mode beside the rule', () => {
  const permissions = createPermissions({ root, mode: 'dontAsk', ask: ['Bash(ls)'] });
  expect(permissions.explain(command('ls'))).toMatchObject({
    behavior: 'deny',
    source: 'ask',
    reason: expect.stringMatching(/^The rule Bash\(ls\) asks before this call\. Mode dontAsk denies/),
  });
});

describe('"always" covers only this call', () => {
  table<[string, PermissionRequest, PermissionRequest]>([
    ['the top of a domain', url('https://com/'), url('https://evil.com/')],
    ['a national one', url('https://co.uk/'), url('https://evil.co.uk/')],
    ['a hosting service', url('https://github.io/'), url('https://evil.github.io/')],
    ['an agent type that is a star', agent('*'), agent('other')],
    ['an agent type of another tool', agent('*', 'Delegate'), agent('other', 'Delegate')],
    ['a path that ends in a blank', edit('/ws/foo '), edit('/ws/foo')],
    ['a type that ends in a blank', agent('reviewer '), agent('reviewer')],
  ])('an answer is not remembered if its rule would cover more', async (_, asked, other) => {
    const { shown, later } = await asking(asked);
    expect(shown.suggestions).toEqual([]);
    expect(later(other)).toBe('ask');
  });

  table<[PermissionRequest, string]>([
    [url('https://docs.example.com/a'), 'WebFetch(domain:docs.example.com)'],
    [url('http://localhost:8080/'), 'WebFetch(domain:localhost)'],
    [url('http://[::1]:8080/'), 'WebFetch(domain:[::1])'],
    [url('http://127.0.0.1/'), 'WebFetch(domain:127.0.0.1)'],
    [agent('reviewer'), 'Agent(reviewer)'],
    [edit('/ws/a [1]*.txt'), 'Edit(/ws/a \\[1\\]\\*.txt)'],
    [command('make test'), 'Bash(make test)'],
    [request('mcp__mail__send'), 'mcp__mail__send'],
  ])('otherwise it is remembered as its rule', async (asked, rule) => {
    const { shown, later } = await asking(asked);
    expect(shown.suggestions).toEqual([rule]);
    expect(later(asked)).toBe('allow');
  });
});

describe('a question', () => {
  const key = ['ghp_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');

  test('has no control characters or credentials in its reason', async () => {
    const mustAsk = `It goes to x\u001b[2J\u202e\n ${key}`;
    const { reason } = (await asking({ ...command('make'), mustAsk })).shown;
    expect(reason).toContain('\\u{202e}');
    expect(reason).not.toMatch(/\p{Cc}|\p{Cf}/u);
    expect(reason).not.toContain(key);
  });

  table([edit('/ws/a\u001b[2J\u202eb.txt'), command(`touch ${key}`), edit(`/ws/${key}`)])(
    'has no suggestion with deceptive characters',
    async (asked) => {
      expect((await asking(asked)).shown.suggestions).toEqual([]);
    },
  );
});

describe('checkCommand of the host', () => {
  const check = async (options: PermissionsOptions, line = 'touch a', more: Partial<PermissionRequest> = {}) => {
    let asked = 0;
    const onAsk = () => {
      asked += 1;
      return 'deny' as const;
    };
    const { behavior: came } = await createPermissions({ root, onAsk, ...options }).check(
      { ...command(line), ...more },
      scope,
    );
    return `${came}, asked ${asked}`;
  };

  table<[string, string, PermissionsOptions, Partial<PermissionRequest>]>([
    ['allow runs what no rule covers', 'allow, asked 0', {}, {}],
    ['an ask rule is above it', 'deny, asked 1', { ask: ['Bash(touch *)'] }, {}],
    ['a deny rule that may be meant is above it', 'deny, asked 1', { deny: ['Bash(touch b)'] }, {}],
    ['a deny rule for what the line may read is above it', 'deny, asked 1', { deny: ['Edit(notes/**)'] }, {}],
    ['the tool itself is above it', 'deny, asked 1', {}, { mustAsk: 'a git hook' }],
  ])('is below rules and the verdict of the tool', async (_, wanted, options, more) => {
    expect(await check({ checkCommand: () => 'allow', ...options }, 'X=b; touch "$Y"', more)).toBe(wanted);
  });

  table<[readonly string[], string]>([
    [['deny', 'ask'], 'deny, asked 0'],
    [['ask', 'deny'], 'deny, asked 0'],
    [['ask', 'nonsense'], 'deny, asked 0'],
    [['allow', 'ask'], 'deny, asked 1'],
    [['allow', 'allow'], 'allow, asked 0'],
  ])('counts by the strictest of its answers', async (verdicts, wanted) => {
    const rest = [...verdicts];
    const targets: Target[] = verdicts.map((_, index) => ({ kind: 'command', command: `make ${index}` }));
    expect(await check({ checkCommand: () => rest.shift() as 'allow' }, 'make', { targets })).toBe(wanted);
  });
});

describe('added folders', () => {
  table([[['rel']], 'abc', undefined, [['/ws', 7]]])(
    'are rejected unless they are a list of absolute paths',
    (paths) => {
      const permissions = createPermissions({ root });
      expect(() => permissions.addDirectories(paths as never)).toThrow(TypeError);
      expect(permissions.takeDirectories()).toEqual([]);
    },
  );
});

describe('a rule for a host', () => {
  table<[string, string]>([
    ['WebFetch(domain:münchen.de)', 'https://münchen.de/'],
    ['WebFetch(domain:münchen.de)', 'https://www.xn--mnchen-3ya.de/'],
    ['WebFetch(domain:EXAMPLE.com.)', 'https://example.com/'],
    ['WebFetch(domain:*.example.com)', 'https://a.example.com/'],
    ['WebFetch(domain:example.com)', 'https://example.com../'],
    ['WebFetch(domain:::1)', 'http://[::1]/'],
    ['WebFetch(domain:[::1])', 'http://[::1]:80/'],
    ['WebFetch(domain:0x7f.1)', 'http://127.0.0.1/'],
    ['webfetch(domain:example.com)', 'https://example.com/'],
  ])('covers each spelling of the host', (rule, address) => {
    expect(behavior({ deny: [rule] }, url(address))).toBe('deny');
  });

  table(['evil.com', '//evil.com', 'evil.com:443/a', 'http://evil.com:99999/', ''])(
    'possibly covers an address without a host',
    (address) => {
      const rules = ['WebFetch(domain:evil.com)'];
      expect(behavior({ deny: rules }, url(address))).toBe('ask');
      expect(behavior({ ask: rules }, url(address))).toBe('ask');
      expect(behavior({ allow: rules, mode: 'default' }, url(address))).toBe('ask');
      expect(behavior({ deny: ['Visit(evil.com)'] }, url(address, 'Visit'))).toBe('allow');
      expect(behavior({ deny: ['Visit(evil.com)'] }, url('https://a.undefined/', 'Visit'))).toBe('allow');
    },
  );

  test('covers the host in repeated calls', () => {
    const rules = { deny: ['WebFetch(domain:münchen.de)'] };
    for (let count = 0; count < 20_000; count++) expect(behavior(rules, url('https://münchen.de/'))).toBe('deny');
  });

  table(
    samples`
    example.com ¦ https://example.com/* ¦ domain:https://x.com ¦ domain:x.com:8080 ¦ domain:x.com/a ¦ domain:*
    domain: ¦ domain:a b ¦ domain:user@x.com`,
  )('without a host is rejected', (pattern) => {
    expect(() => createPermissions({ deny: [`WebFetch(${pattern})`] })).toThrow('names no host');
  });

  table(['WebSearch(secret)', 'mcp__a__b(x)', 'TodoWrite(x)'])(
    'a pattern that asks about every call gives a warning',
    (rule) => {
      expect(lintRules({ deny: [rule] })).toMatchObject([
        { rule, message: expect.stringContaining('asks about every call') },
      ]);
    },
  );
});

describe('deny and ask rules ignore the letter case of names', () => {
  table<[string, PermissionRequest]>([
    ['mcp__MAIL__s*d', request('mcp__mail__send')],
    ['Agent(reviewer)', agent('Reviewer')],
    ['edit(src/**)', edit('/ws/src/a', 'Write')],
  ])('deny and ask rules ignore the letter case of names', (rule, asked) => {
    expect(behavior({ deny: [rule] }, asked)).toBe('deny');
    expect(behavior({ ask: [rule] }, asked)).toBe('ask');
    expect(behavior({ mode: 'default', allow: [rule] }, asked)).toBe('ask');
  });
});

describe('deny and ask rules match a tool of any name by its targets', () => {
  table<[string, PermissionRequest]>([
    ['WebFetch(domain:example.com)', url('https://example.com/', 'Visit')],
    ['Bash(npm publish *)', command('npm publish --tag x', 'Terminal')],
    ['Agent(reviewer)', agent('reviewer', 'Delegate')],
    ['Read(secret/**)', command('cat secret/a', 'Terminal')],
  ])('deny and ask rules match a tool of any name by its targets', (rule, asked) => {
    expect(behavior({ deny: [rule] }, asked)).toBe('deny');
    expect(behavior({ mode: 'default', allow: [rule] }, asked)).toBe('ask');
  });
});

describe('a folder in a deny or ask rule matches everything in it', () => {
  table(['Edit(src)', 'Edit(./src)', 'Edit(/ws/src)', 'Edit(.)', 'Edit(s*)', 'Edit(**/src)'])(
    'a folder in a deny or ask rule matches everything in it',
    (rule) => {
      expect(behavior({ deny: [rule] }, edit('/ws/src/deep/a'))).toBe('deny');
      expect(behavior({ deny: [rule] }, edit('/elsewhere/a'))).toBe('allow');
    },
  );

  test('and in an allow rule only itself', () => {
    expect(behavior({ mode: 'default', allow: ['Edit(src)'] }, edit('/ws/src/a'))).toBe('ask');
  });
});

describe('acceptEdits allows only edits', () => {
  table<[string, PermissionRequest, string]>([
    ['a tool that changes one file', edit('/ws/a', 'Write'), 'allow'],
    ['one of the same name that says nothing of a file', request('Write'), 'ask'],
    ['one that reaches further', { ...edit('/ws/a', 'Write'), sideEffect: 'network' }, 'ask'],
    ['one that acts on an address', url('https://example.com/', 'Write'), 'ask'],
  ])('acceptEdits allows only edits', (_, asked, wanted) => {
    expect(behavior({ mode: 'acceptEdits' }, asked)).toBe(wanted);
  });
});
