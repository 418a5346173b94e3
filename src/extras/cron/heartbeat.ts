import { readFile } from 'node:fs/promises';
import { ToolError } from '../../core/error.js';
import { assertOptions, kindOf, type OptionKinds, timersKind } from '../../core/support/check-values.js';
import { tell } from '../../core/support/listeners.js';
import { undefinedFor } from '../../core/support/os-error-code.js';
import { atLatest, systemTimers, type Timers } from '../../core/support/timers.js';

/** Options of {@link heartbeat}. */
export interface HeartbeatOptions {
  /** Milliseconds from the end of one beat to the start of the next beat, at least 1,000. */
  readonly everyMs: number;
  /** Wakes the agent with the text; the signal aborts at `dispose`. */
  readonly run: (text: string, signal: AbortSignal) => Promise<unknown> | unknown;
  /** Returns the text; undefined if there is none. Default: reads HEARTBEAT.md in the current folder. */
  readonly read?: (() => Promise<string | undefined> | string | undefined) | undefined;
  /** Called with errors of `read` and `run`; the next beat is not affected. Default: `process.emitWarning`. */
  readonly onError?: ((error: ToolError) => void) | undefined;
  /** Timers, for tests. */
  readonly timers?: Timers | undefined;
}

/** A running heartbeat, which keeps the process alive until the heartbeat is disposed. */
export interface Heartbeat extends AsyncDisposable {
  /** Beats now, or waits for the active beat. Resolves with whether the agent was woken. Never rejects. */
  beat(): Promise<boolean>;
  /** Ends the beats: aborts the signal of an active beat, and waits at most 5 seconds for the end of that beat. */
  dispose(): Promise<void>;
}

const optionKinds: OptionKinds<HeartbeatOptions> = {
  everyMs: {
    takes: 'a number from 1000 up',
    isShown: true,
    holds: (value) => typeof value === 'number' && value >= 1_000,
  },
  run: kindOf.callback,
  read: kindOf.callback,
  onError: kindOf.callback,
  timers: timersKind,
};

const disposeMs = 5_000;

/**
 * Wakes an agent at intervals with the text of HEARTBEAT.md. The heartbeat does not wake the agent if the file is
 * missing, empty, or has only headings, comments and empty list items. Beats never overlap. Throws a TypeError for
 * invalid options.
 */
export function heartbeat(options: HeartbeatOptions): Heartbeat {
  assertOptions('heartbeat', options, optionKinds, 'everyMs', 'run');
  const { everyMs, run, read = readHeartbeatFile, timers = systemTimers } = options;
  const { onError = (error) => process.emitWarning(error.message, { code: 'TOOLWRIGHT_HEARTBEAT' }) } = options;
  const control = new AbortController();
  let timer: unknown;
  let going: Promise<boolean> | undefined;
  const beatOnce = async () => {
    timers.clear(timer);
    try {
      const text = (await read()) ?? '';
      if (!saysSomething(text) || control.signal.aborted) return false;
      await run(text, control.signal);
      return true;
    } catch (thrown) {
      if (!control.signal.aborted) tell(onError, ToolError.from(thrown));
      return false;
    }
  };
  const beat = () => {
    if (control.signal.aborted) return Promise.resolve(false);
    going ??= beatOnce().finally(() => {
      going = undefined;
      if (!control.signal.aborted) timer = timers.set(() => void beat(), everyMs);
    });
    return going;
  };
  const dispose = async () => {
    control.abort();
    timers.clear(timer);
    if (going !== undefined) await atLatest(going, disposeMs, timers);
  };
  timer = timers.set(() => void beat(), everyMs);
  return { beat, dispose, [Symbol.asyncDispose]: dispose };
}

/** Whether a Markdown text has more than headings, comments and empty list items. */
function saysSomething(text: string): boolean {
  const lines = text.replace(/<!--[\s\S]*?(?:-->|$)/g, '').split(/\r?\n/);
  return lines.some((line) => !/^\s*(?:#{1,6}(?:\s.*)?|[-*+]\s*(?:\[[ x]?\])?|[-=]+)?\s*$/i.test(line));
}

function readHeartbeatFile(): Promise<string | undefined> {
  return readFile('HEARTBEAT.md', 'utf8').catch(undefinedFor('ENOENT'));
}
