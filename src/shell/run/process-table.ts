import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { terminalText } from '../../core/text/terminal.js';

/** One running process, as proc(5) describes it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Start time in clock ticks since boot. Together with `pid`, the start time identifies a process uniquely. */
  readonly start: number;
}

/** Maximum number of reads of one environment. It is read again if exec replaced the program during the read. */
const maxEnvironmentReads = 3;
/** Flag of kernel threads. */
const kernelThread = 0x00200000;

/** Every process id of this machine; empty without /proc. */
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
 * The most recently assigned process id, or undefined without /proc. Every command needs the id, so only one small
 * buffer is read.
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

/** The entry of a process; undefined when the process is gone or a zombie. */
export function readProcess(pid: number): ProcessEntry | undefined {
  const fields = statusOf(pid);
  if (fields === undefined) return undefined;
  const [, parent, group, session] = fields;
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), start: Number(fields[19]) };
}

/** The current children of a process. Empty if the kernel does not list them. */
export function childrenOf(pid: number): readonly number[] {
  return threadsOf(pid).flatMap((thread) =>
    read(`${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

/** The ids of a process and all its ancestors. One of these adopts orphans of its descendants. */
export function ancestorsOf(pid: number): ReadonlySet<number> {
  const ancestors = new Set([1]);
  for (let at: number | undefined = pid; at !== undefined && at > 1 && !ancestors.has(at); at = readProcess(at)?.parent)
    ancestors.add(at);
  return ancestors;
}

/**
 * The command line of a process, or its name if the command line is empty. The text is scrubbed as a whole and then cut
 * to `maxChars`.
 */
export function commandOf(pid: number, scrub: (text: string) => string = (text) => text, maxChars = 200): string {
  const words = terminalText(read(`${pid}/cmdline`, 'utf8').replaceAll(/[\0\s]+/g, ' ')).trim();
  return scrub(words || read(`${pid}/comm`, 'utf8').trim() || `process ${pid}`)
    .slice(0, maxChars)
    .toWellFormed();
}

/**
 * The environment a process was started with, as `NAME=value` separated by NUL; empty when it is not readable.
 * Undefined when the process is gone, ending or calling exec: the kernel then shows an empty environment.
 */
export function environmentOf(pid: number): string | undefined {
  let before = statusOf(pid);
  for (let attempt = 0; attempt < maxEnvironmentReads; attempt++) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
      if (environment !== '') return environment;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EACCES') return '';
    }
    const after = statusOf(pid);
    // During exec the end address of the environment is 0. For kernel threads it is always 0.
    const isUnknown = after?.[48] === '0' && (Number(after[6]) & kernelThread) === 0;
    if (after === undefined || isUnknown) return undefined;
    // The same program before and after: its environment really is empty.
    if (before?.[47] === after[47] && before?.[48] === after[48]) return '';
    before = after;
  }
  return undefined;
}

/** The files behind standard output and standard error of a process, if readable. */
export function outputsOf(pid: number): readonly string[] {
  return [1, 2].flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${descriptor}`)];
    } catch {
      return [];
    }
  });
}

/** The fields of `stat` from the state on; undefined when the process has ended. */
function statusOf(pid: number): readonly string[] | undefined {
  const stat = read(`${pid}/stat`);
  // The name in parentheses may contain parentheses and spaces.
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

/**
 * Sends a signal to a process; a negative id means a process group. False if no such process exists or the signal is
 * not permitted.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Whether a process group has members, zombies included. */
export function groupExists(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
