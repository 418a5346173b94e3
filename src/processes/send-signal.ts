/** Sends a signal to a process, or with a negative id to a group. False when there is none or it is not ours. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Sends a signal so that it arrives: a stopped process takes no TERM before it goes on. */
export function deliver(pid: number, signal: NodeJS.Signals): void {
  sendSignal(pid, signal);
  if (signal === 'SIGTERM') sendSignal(pid, 'SIGCONT');
}

/** True while a process group has members, those that wait to be reaped included. */
export function groupExists(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
