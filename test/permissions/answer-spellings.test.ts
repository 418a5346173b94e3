import { expect, test } from 'vitest';
import {
  type CallScope,
  createPermissions,
  type DeadLetters,
  type PermissionRequest,
  type Permissions,
  type Policy,
  type RateLimiter,
  Tool,
  type ToolHooks,
  type ToolResolver,
} from '../../src/core.js';
import { assessCommand, type Shell } from '../../src/index.js';
import { table } from '../support/each-row.js';
import { calls, run, tool } from '../support/pipeline.js';

type OnAsk = NonNullable<NonNullable<Parameters<typeof createPermissions>[0]>['onAsk']>;
type CheckCommand = NonNullable<NonNullable<Parameters<typeof createPermissions>[0]>['checkCommand']>;

const act = tool('Act', () => 'acted', { sideEffect: 'mutating' });
const isRisky = ({ risk }: PermissionRequest): boolean => risk === 'critical';

// Each line is a test of types: a program may write it without annotations.
const answers: readonly (readonly [spelling: string, onAsk: OnAsk, isAllowed: boolean])[] = [
  ['async, one literal', async () => 'allow-once', true],
  ['async, one other literal', async () => 'allow-always', true],
  ['async, a no', async () => 'deny', false],
  [
    'async, both parameters',
    async (request, scope) => (scope.signal.aborted || isRisky(request) ? 'deny' : 'allow-once'),
    true,
  ],
  [
    'async, literals and decisions',
    async (request) => (isRisky(request) ? 'allow-once' : { behavior: 'deny', message: 'no' }),
    false,
  ],
  ['async, a decision', async () => ({ behavior: 'allow' }), true],
  [
    'an async function',
    async function ask(request: PermissionRequest) {
      return isRisky(request) ? 'allow-once' : 'deny';
    },
    false,
  ],
  ['at once, one literal', () => 'deny', false],
  ['at once, another literal', () => 'allow-once', true],
  ['at once, several literals', (request) => (isRisky(request) ? 'deny' : 'allow-once'), true],
  ['at once, a decision', ({ title }) => ({ behavior: 'deny', message: `not ${title}`, interrupt: true }), false],
  ['now or later', (request) => (isRisky(request) ? 'deny' : Promise.resolve('allow-once')), true],
  ['a promise', () => new Promise((resolve) => resolve('allow-once')), true],
  [
    'what throws',
    () => {
      throw new Error('no');
    },
    false,
  ],
];

table(answers)('an answer of onAsk may have several forms', async (_spelling, onAsk, isAllowed) => {
  const { results } = await run([act], calls('Act'), { permissions: createPermissions({ onAsk }) });
  expect(results[0]?.ok).toBe(isAllowed);
});

const judgements: readonly (readonly [spelling: string, check: CheckCommand, isAllowed: boolean])[] = [
  ['async, one literal', async () => 'allow', true],
  ['async, a no', async () => 'deny', false],
  ['async, several literals', async (command) => (command === 'make' ? 'allow' : 'ask'), true],
  ['async, with what is known', async (_, { verdict }) => (verdict === 'deny' ? 'deny' : 'allow'), true],
  ['at once, one literal', () => 'allow', true],
  ['at once, a no', () => 'deny', false],
  ['at once, with a parameter', (command) => (command === 'make' ? 'deny' : 'ask'), false],
];

table(judgements)('an answer of checkCommand may have several forms', async (_spelling, checkCommand, isAllowed) => {
  const make = tool('Make', () => 'made', {
    sideEffect: 'mutating',
    targets: () => [{ kind: 'command', command: 'make' }],
  });
  const { results } = await run([make], calls('Make'), { permissions: createPermissions({ checkCommand }) });
  expect(results[0]?.ok).toBe(isAllowed);
});

test('invalid and misspelt answers do not compile', () => {
  const wrong = [
    // @ts-expect-error: misspelt
    createPermissions({ onAsk: async () => 'alow-once' }),
    // @ts-expect-error: misspelt
    createPermissions({ onAsk: () => 'alow-once' }),
    // @ts-expect-error: no answer
    createPermissions({ onAsk: () => undefined }),
    // @ts-expect-error: no answer
    createPermissions({ onAsk: async () => {} }),
    // @ts-expect-error: half an answer
    createPermissions({ onAsk: async () => ({ message: 'no' }) }),
    // @ts-expect-error: another parameter
    createPermissions({ onAsk: async (request: number) => (request === 1 ? 'deny' : 'allow-once') }),
    // @ts-expect-error: misspelt
    createPermissions({ checkCommand: async () => 'yes' }),
    // @ts-expect-error: misspelt
    createPermissions({ checkCommand: () => 'yes' }),
  ];
  expect(wrong).toHaveLength(8);
});

test('separately declared callbacks keep their own types', () => {
  const later = async (request: PermissionRequest, scope: CallScope) =>
    scope.signal.aborted || isRisky(request) ? 'deny' : 'allow-once';
  const now = () => 'deny' as const;
  const judge = (command: string) => assessCommand(command).verdict;
  const permissions: Permissions[] = [
    createPermissions({ onAsk: later }),
    createPermissions({ onAsk: now, checkCommand: judge }),
    createPermissions({ onAsk: undefined, checkCommand: undefined }),
  ];
  expect(permissions).toHaveLength(3);
});

test('all other callbacks with literal answers compile as synchronous and asynchronous functions', () => {
  const hooks: ToolHooks = {
    PreToolUse: [
      { hooks: [async () => ({ decision: 'deny', reason: 'no' }), () => ({ decision: 'allow' }), async () => {}] },
      { hooks: [async () => undefined, () => undefined, () => {}, async ({ input }) => ({ updatedInput: input })] },
    ],
    PostToolUse: [
      { hooks: [async () => ({ suppressOutput: true }), ({ result }) => ({ updatedOutput: result.output })] },
    ],
    PostToolUseFailure: [{ hooks: [async ({ error }) => ({ additionalContext: error.code })] }],
  };
  const limiters: RateLimiter[] = [
    { take: async () => ({ ok: true, remaining: 1 }) },
    { take: () => ({ ok: false, retryAfterMs: 1 }) },
    { take: async ({ key }) => (key === 'a' ? { ok: true, remaining: 1 } : { ok: false, retryAfterMs: 1 }) },
  ];
  const deciders: Permissions[] = [
    { check: async () => ({ behavior: 'allow' }) },
    { check: async ({ tool: of }) => (of === 'Read' ? { behavior: 'allow' } : { behavior: 'deny', message: 'no' }) },
    { check: async () => ({ behavior: 'deny', message: 'no' }), decide: () => ({ behavior: 'allow' }) },
  ];
  const resolvers: ToolResolver[] = [async () => undefined, () => undefined, async () => act, () => act];
  const policy: Policy = { offers: () => true, explain: () => 'because' };
  const letters: DeadLetters[] = [{ add: async ({ id }) => void id }, { add: () => {} }];
  const nothing = { signal: undefined, output: '', outputFile: '', truncated: false, timedOut: false, survivors: [] };
  const shell: Shell = { run: async () => ({ exitCode: 0, ...nothing }) };
  const input = { type: 'object' } as const;
  const plain = { description: '', input, sideEffect: 'none', execute: async () => 'done' } as const;
  const tools = [
    Tool.define('A', { ...plain, verdict: () => ({ behavior: 'ask', reason: 'x' }) }),
    Tool.define('B', { ...plain, verdict: async () => ({ behavior: 'deny', reason: 'x' }) }),
    Tool.define('C', { ...plain, verdict: () => undefined, risk: () => 'low' }),
    Tool.define('D', { ...plain, footprint: () => ({ reads: 'nothing', writes: 'everything' }) }),
    Tool.define('E', { ...plain, footprint: async () => ({ reads: [], writes: 'nothing' }) }),
    Tool.define('F', { ...plain, targets: async () => [{ kind: 'agent', type: 'x' }] }),
    Tool.define('G', async () => ({ ...plain, execute: () => 'done' })),
    Tool.define('H', () => plain),
  ];
  expect([hooks, limiters, deciders, resolvers, policy, letters, shell, tools]).toHaveLength(8);
});
