import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { terminalText } from '../../core/text/terminal-text.js';

/** One living process, as proc(5) tells it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Start time in clock ticks since boot: with `pid` it names one process for ever. */
  readonly start: number;
}

/** A process that replaces its program more often while it is looked at is not told. */
const maxEnvironmentLooks = 3;
/** In the flags of a process. */
const kernelThread = 0x00200000;

/** Every process id of this machine. Empty where there is no /proc. */
export function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

/**
 * The id that was given out last, or undefined where there is no /proc. Every command asks, so it is read in one piece.
 */
export function lastProcessId(): number | undefined {
  try {
    const descriptor = openSync('/proc/loadavg', 'r');
    try {
      const line = Buffer.allocUnsafe(128);
      const last = Number(line.toString('latin1', 0, readSync(descriptor, line)).split(' ')[4]);
      return last > 0 ? last : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** The process, or undefined when it is gone or only waits to be reaped. */
export function readProcess(pid: number): ProcessEntry | undefined {
  const fields = statusOf(pid);
  if (fields === undefined) return undefined;
  const [, parent, group, session] = fields;
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), start: Number(fields[19]) };
}

/** The children of a process now. Empty where the kernel does not list them. */
export function childrenOf(pid: number): readonly number[] {
  return threadsOf(pid).flatMap((thread) =>
    read(`${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

/** A process, its parent and so on up to the first of all: who takes over what its descendants leave behind. */
export function ancestorsOf(pid: number): ReadonlySet<number> {
  const ancestors = new Set([1]);
  for (let at: number | undefined = pid; at !== undefined && at > 1 && !ancestors.has(at); at = readProcess(at)?.parent)
    ancestors.add(at);
  return ancestors;
}

/**
 * The command line of a process on one line, scrubbed as a whole and then cut to `maxChars`; its bare name when it has
 * none.
 */
export function commandOf(pid: number, scrub: (text: string) => string = (text) => text, maxChars = 200): string {
  const words = terminalText(read(`${pid}/cmdline`, 'utf8').replaceAll(/[\0\s]+/g, ' ')).trim();
  return scrub(words || read(`${pid}/comm`, 'utf8').trim() || `process ${pid}`).slice(0, maxChars);
}

/**
 * The environment a process was started with, as `NAME=value` separated by NUL; empty when it is not ours to read.
 * Undefined when the process is gone, is ending or is just replacing its program: the kernel then shows an empty one.
 */
export function environmentOf(pid: number): string | undefined {
  let before = statusOf(pid);
  for (let look = 0; look < maxEnvironmentLooks; look++) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
      if (environment !== '') return environment;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EACCES') return '';
    }
    const after = statusOf(pid);
    // Where it ends is not known yet, or not any more; of threads of the kernel it never is.
    const isUntold = after?.[48] === '0' && (Number(after[6]) & kernelThread) === 0;
    if (after === undefined || isUntold) return undefined;
    // The same program before and after: what it was started with really is empty.
    if (before?.[47] === after[47] && before?.[48] === after[48]) return '';
    before = after;
  }
  return undefined;
}

/** The process group that reads from the terminal of a process; undefined where it has none. */
export function foregroundOf(pid: number): number | undefined {
  const group = Number(statusOf(pid)?.[5]);
  return group > 0 ? group : undefined;
}

/**
 * The system call that a process waits in: its number and arguments, none where it runs. Undefined where that is not
 * ours to know.
 */
export function systemCallOf(pid: number): readonly number[] | undefined {
  const words = read(`${pid}/syscall`).trim();
  return words === '' ? undefined : words === 'running' ? [] : words.split(' ').map(Number);
}

/** Whether a descriptor of a process is a terminal. */
export function isTerminal(pid: number, descriptor: number): boolean {
  try {
    return /^\/dev\/(?:pts\/\d+|tty\w*|console)$/.test(readlinkSync(`/proc/${pid}/fd/${descriptor}`));
  } catch {
    return false;
  }
}

/** The files that standard output and standard error of the process are, where it is ours to know. */
export function outputsOf(pid: number): readonly string[] {
  return [1, 2].flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${descriptor}`)];
    } catch {
      return [];
    }
  });
}

/** The fields of `stat` from the state on, or undefined when the process does not live. */
function statusOf(pid: number): readonly string[] | undefined {
  const stat = read(`${pid}/stat`);
  // The name in parentheses may itself hold parentheses and spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' || 'ZXx'.includes(fields[0] ?? 'Z') ? undefined : fields;
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function read(file: string, encoding: 'latin1' | 'utf8' = 'latin1'): string {
  try {
    return readFileSync(`/proc/${file}`, encoding);
  } catch {
    return '';
  }
}

/** Sends a signal to a process, or with a negative id to a group. False when there is none or it is not ours. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** True while a process group has members, those that wait to be reaped included. */
export function groupExists(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
