import { createPermissions, createRateLimiter, type ExecuteOptions, type ToolCall, ToolError } from '../../src/core.js';
import type { FakeTimers } from '../../src/testing/fake-timers.js';
import { calls, never, tool } from './pipeline.js';
import { hostile, late, settlesTwice, thenable } from './settlement-kinds.js';

/** The parts for a fault: the clock of the turn, its abort, and the count of executions of the tool Act. */
export interface FaultWorld {
  readonly timers: FakeTimers;
  readonly stop: AbortController;
  /** Executions of Act, by call id. */
  readonly executed: string[];
}

/** A fault: the behaviour of Act, further options, and the calls of the turn if they are not the default. */
export interface PlacedFault {
  readonly execute?: (
    input: unknown,
    context: { readonly signal: AbortSignal; metadata(update: object): void },
  ) => unknown;
  readonly options?: Partial<ExecuteOptions>;
  readonly turn?: readonly ToolCall[];
  /** Milliseconds after which the turn is aborted. */
  readonly abortAfterMs?: number;
}

const tooLateMs = 10_000_000;
const fails = (make: () => unknown) => () => {
  throw make();
};

/** Faulty behaviour of foreign code. */
const misbehaviours: Readonly<Record<string, (world: FaultWorld, good: unknown) => unknown>> = {
  throws: fails(() => new Error('fault')),
  'throws a string': fails(() => 'fault'),
  'throws nothing': fails(() => undefined),
  'throws a hostile object': fails(hostile),
  rejects: () => Promise.reject(new Error('fault')),
  'rejects with nothing': () => Promise.reject(undefined),
  'never settles': () => never,
  'settles too late': ({ timers }, good) => late(timers, tooLateMs, good),
  'rejects too late': ({ timers }) =>
    new Promise((_, reject) => timers.set(() => reject(new Error('late')), tooLateMs)),
  'answers a number': () => 7,
  'answers text': () => 'allowed',
  'answers true': () => true,
  'answers nothing': () => undefined,
  'answers null': () => null,
  'answers a list': () => [{ behavior: 'allow', decision: 'allow', ok: true }],
  'answers an empty object': () => ({}),
  'answers a hostile object': () => hostile(),
  'answers a misspelt word': () => ({ behaviour: 'allow', descision: 'allow', OK: true }),
  'answers an unknown word': () => ({ behavior: 'yes', decision: 'maybe', ok: 'yes' }),
  'settles twice': (_, good) => settlesTwice(good, { behavior: 'allow' }),
  'has a then that throws': () =>
    thenable(() => {
      throw new Error('then');
    }),
  'has a then that never calls back': () => thenable(() => {}),
};

const permission = (answer: (world: FaultWorld) => unknown) => (world: FaultWorld) => ({
  options: {
    permissions: {
      check: (request: { readonly tool: string }) => (request.tool === 'Act' ? answer(world) : { behavior: 'allow' }),
    } as never,
  },
});
const asking = (answer: (world: FaultWorld) => unknown) => (world: FaultWorld) => ({
  options: {
    permissions: createPermissions({
      autoAllow: false,
      allow: ['Before', 'After'],
      onAsk: () => answer(world) as never,
    }),
  },
});
const hook =
  (name: 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure', answer: (world: FaultWorld) => unknown) =>
  (world: FaultWorld) => ({
    ...(name === 'PostToolUseFailure' ? { execute: fails(() => new Error('failed')) } : {}),
    options: { hooks: { [name]: [{ matcher: 'Act', hooks: [() => answer(world) as never] }] } },
  });
const limiter = (answer: (world: FaultWorld) => unknown) => (world: FaultWorld) => ({
  options: {
    rateLimiter: {
      take: ({ tool: name }: { readonly tool: string }) =>
        name === 'Act' ? answer(world) : { ok: true, remaining: 1 },
    } as never,
  },
});
const listener = (answer: (world: FaultWorld) => unknown) => (world: FaultWorld) => ({
  execute: (_: unknown, context: { metadata(update: object): void }) => {
    context.metadata({ title: 'half' });
    return 'acted';
  },
  options: { onEvent: () => answer(world) as never },
});
const many = calls(...Array.from({ length: 20 }, () => 'Act'));

type Place = (answer: (world: FaultWorld) => unknown) => (world: FaultWorld) => PlacedFault;

/** The places of foreign code, with their valid answers. */
const places: Readonly<Record<string, { readonly place: Place; readonly good: unknown }>> = {
  'tool.execute': { place: (answer) => (world) => ({ execute: () => answer(world) }), good: 'late' },
  'permission callback': { place: permission, good: { behavior: 'allow' } },
  onAsk: { place: asking, good: 'allow-once' },
  PreToolUse: { place: (answer) => hook('PreToolUse', answer), good: { decision: 'allow' } },
  PostToolUse: { place: (answer) => hook('PostToolUse', answer), good: { updatedOutput: 'late' } },
  PostToolUseFailure: { place: (answer) => hook('PostToolUseFailure', answer), good: { additionalContext: 'late' } },
  limiter: { place: limiter, good: { ok: true, remaining: 1 } },
  'progress listener': { place: listener, good: undefined },
  'dead letters': {
    place: (answer) => (world) => ({
      execute: fails(() => new Error('failed')),
      options: { deadLetters: { add: () => answer(world) as never } },
    }),
    good: undefined,
  },
  resolver: {
    place: (answer) => (world) => ({
      turn: calls('Before', 'Missing', 'After'),
      options: { toolResolver: () => answer(world) as never },
    }),
    good: tool('Missing', () => 'late'),
  },
  'output store': {
    place: (answer) => (world) => ({
      execute: () => 'x'.repeat(100_000),
      options: { outputStore: { save: () => answer(world) as never } },
    }),
    good: '/late',
  },
  scrubber: {
    place: (answer) => (world) => ({ options: { scrubber: { text: () => answer(world) } as never } }),
    good: 'scrubbed',
  },
};

const abortIn = (what: (world: FaultWorld) => PlacedFault) => what;

/** Faults that are not a wrong answer of foreign code. */
const others: Readonly<Record<string, (world: FaultWorld) => PlacedFault>> = {
  'tool.execute: throws an AbortError of its own': () => ({
    execute: fails(() => new DOMException('gone', 'AbortError')),
  }),
  'tool.execute: throws a coded error': () => ({
    execute: fails(() => new ToolError('file_not_found', 'File not found: /a')),
  }),
  'tool.execute: recurses for ever': () => {
    const recurse = (): unknown => [recurse()];
    return { execute: recurse };
  },
  'tool.execute: throws a message of a megabyte': () => ({ execute: fails(() => new Error('m'.repeat(1_000_000))) }),
  'tool.execute: changes its input': () => ({
    execute: (input) => {
      Object.assign(input as object, { changed: true });
      return 'acted';
    },
  }),
  'tool.execute: reports after its end': ({ timers }) => ({
    execute: (_, context) => {
      timers.set(() => context.metadata({ title: 'late' }), 1_000);
      return 'acted';
    },
  }),
  'tool.execute: answers metadata that holds itself': () => {
    const metadata: Record<string, unknown> = { big: 1n, call: () => 1 };
    metadata.self = metadata;
    return { execute: () => ({ output: 'acted', metadata }) };
  },
  'tool.execute: hears its signal and goes on': () => ({ execute: (_, { signal }) => (signal.aborted ? '' : never) }),
  'permission callback: denies and interrupts': permission(() => ({
    behavior: 'deny',
    message: 'stop',
    interrupt: true,
  })),
  'permission callback: rewrites for ever': (() => {
    let count = 0;
    return permission(() => ({ behavior: 'allow', updatedInput: { count: ++count } }));
  })(),
  'permission callback: rewrites to nonsense': permission(() => ({ behavior: 'allow', updatedInput: 'nonsense' })),
  'PreToolUse: rewrites to nonsense': hook('PreToolUse', () => ({ updatedInput: [1] })),
  'PreToolUse: says deny without a reason': hook('PreToolUse', () => ({ decision: 'deny' })),
  'signal: abort before the call': ({ stop }) => {
    stop.abort();
    return {};
  },
  'signal: abort during execute': ({ stop }) => ({
    execute: () => {
      stop.abort();
      return never;
    },
  }),
  'signal: abort while the tool waits': () => ({ execute: () => never, abortAfterMs: 500 }),
  'signal: abort with a reason that is no error': ({ stop }) => ({
    execute: () => {
      stop.abort('because');
      return never;
    },
  }),
  'signal: abort while permission is asked': () => ({ ...permission(() => never)({} as never), abortAfterMs: 500 }),
  'signal: abort while a hook is asked': () => ({ ...hook('PreToolUse', () => never)({} as never), abortAfterMs: 500 }),
  'signal: abort while the limiter is asked': () => ({ ...limiter(() => never)({} as never), abortAfterMs: 500 }),
  'signal: abort by the listener': ({ stop }) => ({ options: { onEvent: () => stop.abort() } }),
  'signal: abort in a PostToolUse hook': abortIn(({ stop }) => ({
    options: {
      hooks: {
        PostToolUse: [
          {
            hooks: [
              () => {
                stop.abort();
                return undefined;
              },
            ],
          },
        ],
      },
    },
  })),
  'signal: abort twice': ({ stop }) => ({
    execute: () => {
      stop.abort();
      stop.abort();
      return 'acted';
    },
  }),
  'limiter: 20 calls at once, limit 5': () => ({ turn: many, options: { rateLimiter: createRateLimiter({ max: 5 }) } }),
  'limiter: 20 calls at once, bucket of 5': () => ({
    turn: many,
    options: { rateLimiter: createRateLimiter({ max: 5, now: () => 0 }) },
  }),
  'limiter: 20 calls at once, 5 for this tool': () => ({
    turn: many,
    options: { rateLimiter: createRateLimiter({ max: 50, perTool: { Act: { max: 5 } } }) },
  }),
  'limiter: 20 calls at once, cost 2 of 10': () => ({
    turn: many,
    options: { rateLimiter: createRateLimiter({ max: 10, costs: { Act: 2 } }) },
  }),
  'limiter: nothing is allowed': () => ({ options: { rateLimiter: createRateLimiter({ max: 0 }) } }),
  'Agent: depth limit': () => ({ turn: calls('Agent'), options: { policy: {}, caller: { sessionId: 's', depth: 1 } } }),
  'Agent: depth limit under another name': () => ({
    turn: calls('Task'),
    options: { policy: {}, caller: { sessionId: 's', depth: 5 } },
  }),
  'Agent: depth limit, given back by alsoAllow': () => ({
    turn: calls('Agent'),
    options: { policy: { alsoAllow: ['Agent'] }, caller: { sessionId: 's', depth: 1 } },
  }),
  'Agent: a depth that is none': () => ({
    turn: calls('Agent'),
    options: { policy: {}, caller: { sessionId: 's', depth: Number.NaN } },
  }),
  'registry: unknown tool': () => ({ turn: calls('Before', 'Nothing', 'After') }),
  'registry: a name that objects inherit': () => ({ turn: calls('Before', 'constructor', 'After') }),
  'registry: a name of a megabyte': () => ({ turn: calls('Before', 'n'.repeat(1_000_000), 'After') }),
  'registry: the same id three times': () => ({
    turn: calls('Before', 'Act', 'After').map((call) => ({ ...call, id: 'same' })),
  }),
};

/** All faults, by `place: fault`. */
export const faults: ReadonlyMap<string, (world: FaultWorld) => PlacedFault> = new Map([
  ...Object.entries(others),
  ...Object.entries(places).flatMap(([where, { place, good }]) =>
    Object.entries(misbehaviours).map(
      ([fault, misbehave]) => [`${where}: ${fault}`, place((world) => misbehave(world, good))] as const,
    ),
  ),
]);
