import type { Caller, ToolErrorCode } from '../../src/core.js';
import type { FakeTimers } from '../../src/testing/fake-timers.js';

/** The tools of the model, with their properties. */
export const toolNames = [
  // Has no effect, so it may be retried.
  'Look',
  'Act',
  'Hidden',
  'Off',
  'LimiterRefuses',
  'LimiterThrows',
  'LimiterHangs',
  'LimiterLate',
  'LimiterNonsense',
  'LimiterSlow',
] as const;

/** One of {@link toolNames}. */
export type ToolName = (typeof toolNames)[number];

/** The expected outcome of a call of one kind if its turn is not stopped. */
export interface Expected {
  /** Undefined = ok. */
  readonly code: ToolErrorCode | undefined;
  /** Whether it gets as far as running. */
  readonly starts: boolean;
}

const refused = (code: ToolErrorCode): Expected => ({ code, starts: false });
const fails = (code: ToolErrorCode): Expected => ({ code, starts: true });
const ok: Expected = { code: undefined, starts: true };

/** All behaviours of tools, people, hooks, limiters and stores for a call, with the expected outcome. */
export const kinds = {
  ok,
  slow: ok,
  unknown: refused('unknown_tool'),
  invalid: refused('invalid_input'),
  notAnObject: refused('invalid_input'),
  resolverThrows: refused('unknown_tool'),
  resolverRejects: refused('unknown_tool'),
  resolverHangs: refused('unknown_tool'),
  resolverLate: refused('unknown_tool'),
  resolverNothing: refused('unknown_tool'),
  resolverNonsense: refused('unknown_tool'),
  resolverTwice: ok,
  resolverBrings: ok,

  throws: fails('execution_failed'),
  throwsText: fails('execution_failed'),
  throwsNothing: fails('execution_failed'),
  throwsHostile: fails('execution_failed'),
  rejectsLate: fails('timeout'),
  resolvesLate: fails('timeout'),
  hangs: fails('timeout'),
  hangsListening: fails('timeout'),
  cleansUp: fails('timeout'),
  answersNumber: fails('execution_failed'),
  answersNothing: fails('execution_failed'),
  reportsLater: ok,
  settlesTwice: ok,
  settlesThenThrows: ok,
  settlesWithThenable: ok,
  thenThrows: fails('execution_failed'),
  thenUnreadable: fails('execution_failed'),
  thenNever: fails('timeout'),
  failsOnce: ok,
  abortsAndHangs: fails('interrupted'),
  abortsAndListens: fails('interrupted'),
  abortsAndAnswers: ok,

  verdictDenies: refused('command_denied'),
  verdictThrows: refused('execution_failed'),
  verdictHangs: refused('timeout'),
  targetsThrow: refused('execution_failed'),
  footprintHangs: refused('timeout'),
  footprintRejects: refused('execution_failed'),
  titleThrows: ok,

  denied: refused('permission_denied'),
  interrupts: refused('permission_denied'),
  permissionThrows: refused('permission_denied'),
  permissionHangs: refused('permission_denied'),
  permissionLate: refused('permission_denied'),
  permissionMisspelt: refused('permission_denied'),
  permissionNothing: refused('permission_denied'),
  permissionText: refused('permission_denied'),
  permissionYes: refused('permission_denied'),
  permissionHalfDenies: refused('permission_denied'),
  permissionTwice: refused('permission_denied'),
  permissionThenThrows: refused('permission_denied'),
  permissionRewrites: ok,
  permissionRewritesToDenied: refused('permission_denied'),
  permissionRewritesForEver: refused('permission_denied'),
  permissionRewritesToNonsense: refused('permission_denied'),

  hookDenies: refused('denied_by_hook'),
  hookThrows: refused('denied_by_hook'),
  hookHangs: refused('denied_by_hook'),
  hookLate: refused('denied_by_hook'),
  hookDecidesNonsense: refused('denied_by_hook'),
  hookAnswersText: refused('denied_by_hook'),
  hookAnswersList: refused('denied_by_hook'),
  hookThenThrows: refused('denied_by_hook'),
  hookTwice: ok,
  hookRewrites: ok,
  hookRewritesToDenied: refused('permission_denied'),
  hookRewritesToInvalid: refused('invalid_input'),
  hookRewritesToText: refused('invalid_input'),

  afterThrows: ok,
  afterHangs: ok,
  afterLate: ok,
  afterNonsense: ok,
  failsAndAfterThrows: fails('execution_failed'),
  failsAndAfterHangs: fails('execution_failed'),
  letterThrows: fails('execution_failed'),
  letterHangs: fails('execution_failed'),
} as const satisfies Record<string, Expected>;

/** One of {@link kinds}. */
export type Kind = keyof typeof kinds;

/** The decider: permissions of the host, or a person who is asked by `createPermissions`. */
export type Decider = 'check' | 'onAsk';

/** The outcome of a call in the model if nothing stops it. */
export function expected(kind: Kind, tool: ToolName, decider: Decider): Expected {
  // A person is not asked again about an input that this person wrote.
  const own = decider === 'onAsk' && isWrittenByPerson(kind) ? ok : kinds[kind];
  if (isFoundOut(kind) || isResolved(kind)) return own;
  if (tool === 'Hidden' || tool === 'Off') return refused('not_allowed');
  if (own.starts && tool.startsWith('Limiter') && tool !== 'LimiterSlow') return refused('rate_limited');
  return kind === 'failsOnce' && tool === 'Act' ? fails('network_failed') : own;
}

/** Only the lookup comes before the policy. */
function isFoundOut(kind: Kind): boolean {
  return kind === 'unknown';
}

/** Calls of unknown tools, for which the resolver is called. */
export function isResolved(kind: Kind): boolean {
  return kind.startsWith('resolver');
}

function isWrittenByPerson(kind: Kind): boolean {
  return kind === 'permissionRewritesToDenied' || kind === 'permissionRewritesForEver';
}

/** The caller, with the clock of the run, so that all other parts are made once. */
export interface ModelCaller extends Caller {
  readonly timers: FakeTimers;
  /** Aborts the turn. */
  abort(): void;
  /** Records a question or an execution, and returns its count for this call. */
  note(what: 'asked' | 'executed', callId: string): number;
}

/** The kind given in an input. */
export function kindOf(input: unknown): Kind {
  return (input as { readonly kind: Kind }).kind;
}

/** A promise that settles far too late. */
export function late<Value>(timers: FakeTimers, afterMs: number, value: Value): Promise<Value> {
  return new Promise((resolve) => timers.set(() => resolve(value), afterMs));
}

/** A thenable that behaves unlike any promise. */
export function thenable(then: (resolve: (value: unknown) => void, reject: (reason: unknown) => void) => void): never {
  return { then } as never;
}

/** Settles with the first value, then tries to settle again in every way. */
export function settlesTwice(first: unknown, second: unknown): never {
  return thenable((resolve, reject) => {
    resolve(first);
    reject(new Error('changed its mind'));
    resolve(second);
  });
}

/** An object whose properties cannot be read. */
export function hostile(): object {
  return new Proxy(
    {},
    {
      get: () => {
        throw new Error('hostile');
      },
      has: () => {
        throw new Error('hostile');
      },
      getPrototypeOf: () => {
        throw new Error('hostile');
      },
    },
  );
}
