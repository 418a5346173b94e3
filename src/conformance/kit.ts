import { strict as assert } from 'node:assert';
import type { CallScope } from '../core/context.js';
import { startTimer } from '../core/support/timers.js';
import type { FileSystem } from '../ports/file-system.js';
import { type Trial, trial } from './file-system-trial.js';

/** The base of all test subjects. Each case gets a new subject. */
export interface Disposable {
  /** Called after the case. */
  dispose?(): Promise<void> | void;
}

/** A requirement for every implementation. `run` rejects if the requirement is not met. */
export interface ConformanceCase<Subject extends Disposable = ConformanceSubject> {
  readonly name: string;
  run(make: () => Promise<Subject> | Subject): Promise<void>;
}

/** An empty file system with a writable root. */
export interface ConformanceSubject extends Disposable {
  readonly files: FileSystem;
}

/** Makes a kit from checks. The key of each check is the sentence that describes the requirement. */
export function conformanceKit<Subject extends Disposable>(
  cases: Readonly<Record<string, (subject: Subject, scope: CallScope) => Promise<void>>>,
): readonly ConformanceCase<Subject>[] {
  return Object.entries(cases).map(([name, body]) => ({
    name,
    async run(make) {
      const subject = await make();
      try {
        await body(subject, newScope());
      } finally {
        await subject.dispose?.();
      }
    },
  }));
}

/** Makes a kit for file systems. */
export function filesKit(cases: Readonly<Record<string, (trial: Trial) => Promise<void>>>): readonly ConformanceCase[] {
  return Object.entries(cases).flatMap(([name, body]) =>
    conformanceKit<ConformanceSubject>({ [name]: ({ files }, scope) => body(trial(files, scope)) }),
  );
}

/** A scope of one session, with a signal. */
export function newScope(
  sessionId = 'conformance',
  signal: CallScope['signal'] = new AbortController().signal,
): CallScope {
  return { caller: { sessionId }, signal };
}

/** Awaits a promise; rejects with an Error that says `what` if it does not settle in time. */
export async function within<Value>(promise: Promise<Value>, what: string, limitMs = 10_000): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = startTimer(() => reject(new Error(`${what} within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Asserts that plain values are equal. Ignores prototypes, which differ under jest for Node's own modules. */
export function same(actual: unknown, expected: unknown): void {
  assert.deepEqual(structuredClone(actual), structuredClone(expected));
}
