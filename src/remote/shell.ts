import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { ToolError } from '../core/error.js';
import type { Limits } from '../core/limits.js';
import { quietly } from '../core/support/listeners.js';
import { errorCode } from '../core/support/os-error-code.js';
import { startTimer, stopWatch } from '../core/support/timers.js';
import { headOf, tailOf, wholeCharacter } from '../core/text/cut.js';
import { shellQuote } from '../core/text/shell-quote.js';
import { terminalText } from '../core/text/terminal.js';
import type { Shell, ShellOutcome, ShellRequest } from '../ports/shell.js';
import { askRemote, endRemote, type RemoteRun, startRemote } from './run-line.js';

type RemoteShellLimits = Pick<Limits, 'bash' | 'output'>;

/**
 * Maximum length of a mark. The last characters of the output, as many as this, are held back, so that the file never
 * contains a part of a mark.
 */
const maxMarkChars = 200;

const variable = /^[A-Za-z_]\w*$/;

/**
 * Runs commands on another machine. Each command runs there in its own session (`setsid`). At the end of the command,
 * all processes of its process group are killed, also background processes. If the connection is lost, the command may
 * still be running. The outcome then has a note. Its exit code is that of the local program, or undefined if that is 0.
 * The disposal ends running commands and removes the output files.
 */
export function remoteShell(run: RemoteRun, root: string, limits: RemoteShellLimits): Shell & AsyncDisposable {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-remote-'));
  const disposal = new AbortController();
  const active = new Set<Promise<unknown>>();
  let count = 0;

  const endGroup = async (group: number): Promise<void> => {
    const limit = new AbortController();
    const timer = startTimer(() => limit.abort(), limits.bash.killGraceMs + 5_000);
    await askRemote(run, `kill -s KILL -- -${group}`, { signal: limit.signal, maxBytes: 1_000_000 }).catch(() => {});
    clearTimeout(timer);
  };

  const runCommand = async (request: ShellRequest, signal: AbortSignal): Promise<ShellOutcome> => {
    const signals = [signal, disposal.signal];
    if (signals.some(({ aborted }) => aborted))
      throw new ToolError('cancelled', 'The command was cancelled before it started.');
    const limitMs = request.timeoutMs ?? limits.bash.timeoutMs;
    const mark = `mark-${randomBytes(12).toString('hex')}`;
    const child = startRemote(run, lineOf(root, request, mark));
    const output = markedOutput(mark, join(folder, `${++count}.txt`), limits, request.onOutput);
    const ended = new Promise<'ended' | Error>((resolve) => {
      child.once('error', resolve).once('close', () => resolve('ended'));
      child.stdin?.on('error', () => {}).end();
      // The line redirects stderr of the command to stdout, so `child.stderr` contains only errors of the local
      // program.
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (text: string) => output.take(text) && resolve('ended'));
    });
    const stop = stopWatch(signals, limitMs);
    const outcome = await Promise.race([ended, stop.stopped]);
    stop.clear();
    output.keep();
    // The end of the local program does not end the remote command.
    if ((outcome !== 'ended' || output.failure !== undefined) && output.group !== undefined)
      await endGroup(output.group);
    endRemote(child);
    if (output.failure !== undefined)
      throw new ToolError(
        'storage_failed',
        `The output of the command cannot be written to ${output.file} (${errorCode(output.failure)}), so the command was stopped.`,
        { partialOutput: terminalText(output.text), cause: output.failure },
      );
    if (outcome instanceof Error)
      throw new ToolError(
        'execution_failed',
        `The local program for the other machine cannot be started: ${outcome.message}`,
        { cause: outcome },
      );
    if (outcome === 'abort')
      throw new ToolError(
        signal.reason instanceof Error && signal.reason.name === 'TimeoutError' ? 'timeout' : 'interrupted',
        'The command was stopped before it had finished.',
        { partialOutput: terminalText(output.text) },
      );
    return outcomeOf(output, outcome === 'timeout', limitMs, child.exitCode, limits.output.maxChars);
  };

  return {
    async run(request, { signal }) {
      const outcome = runCommand(request, signal);
      active.add(outcome);
      return await outcome.finally(() => active.delete(outcome));
    },
    async [Symbol.asyncDispose]() {
      disposal.abort();
      await Promise.allSettled(active);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The remote line: it prints the process group, runs the command, prints its exit code and ends the rest of the group.
 */
function lineOf(root: string, { command, cwd = root, env = {} }: ShellRequest, mark: string): string {
  const relative = posix.relative(root, cwd);
  if (!posix.isAbsolute(cwd) || relative === '..' || relative.startsWith('../'))
    throw new ToolError('path_outside_root', `${cwd} is outside ${root}. Use a folder inside it.`);
  const bad = Object.keys(env).find((name) => !variable.test(name));
  if (bad !== undefined)
    throw new ToolError(
      'invalid_input',
      `${JSON.stringify(bad)} is not the name of a variable. Use letters, digits and _.`,
    );
  const exported = Object.entries(env).map(([name, value]) => `export ${name}=${shellQuote(value)}\n`);
  const inner = `echo ${mark} $$; (cd -- ${shellQuote(cwd)} && exec sh -c ${shellQuote(command)}); c=$?; echo; echo ${mark} $c; kill -s KILL -- -$$`;
  // `setsid` forks if it is the leader of a process group. A background process is not a leader, so `setsid` does not
  // fork, and `wait` waits for the shell that `setsid` starts.
  const started = `setsid sh -c ${shellQuote(inner)} </dev/null 2>&1 & wait $!`;
  return `${exported.join('')}${started}`;
}

function outcomeOf(
  output: MarkedOutput,
  timedOut: boolean,
  limitMs: number,
  own: number | null,
  maxChars: number,
): ShellOutcome {
  const text = terminalText(output.text);
  const truncated = output.isCut || text.length > maxChars;
  const gap = `\n[… more output is in ${output.file} …]\n`;
  const isLost = output.code === undefined && !timedOut;
  // If the command did not report its exit code, the exit code 0 of the local program does not mean success, so it is
  // not used.
  const code = output.code ?? (own || undefined);
  const signal = Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0];
  return {
    exitCode: timedOut || signal !== undefined ? undefined : code,
    signal: timedOut ? 'SIGKILL' : signal,
    output: truncated ? `${headOf(text, maxChars / 2)}${gap}${tailOf(text, maxChars / 2)}` : text,
    outputFile: output.file,
    truncated,
    timedOut,
    timeLimitMs: limitMs,
    survivors: [],
    ...(isLost && { note: '[the local program ended and did not report the end of the command, which may still run]' }),
  };
}

type MarkedOutput = ReturnType<typeof markedOutput>;

/** Parses the output: the group, the output of the command, and the exit code, separated by a random mark. */
function markedOutput(mark: string, file: string, limits: RemoteShellLimits, onOutput: ShellRequest['onOutput']) {
  const { maxChars } = limits.output;
  /** Output that is not written to the file yet. */
  let held = '';
  let fileChars = 0;
  const output = {
    file,
    group: undefined as number | undefined,
    code: undefined as number | undefined,
    /** The output, without its middle if it is long. */
    text: '',
    isCut: false,
    /** Why the file could not be written. */
    failure: undefined as unknown,

    /** Reads a part of the output. Returns true when the command has ended or its output cannot be written. */
    take(text: string): boolean {
      held += text;
      if (output.group === undefined) {
        const begun = new RegExp(`^${mark} (\\d+)\\n`, 'm').exec(held);
        if (begun === null) {
          // Until the command begins, only the end of the login output is kept.
          held = tailOf(held, Math.max(maxChars, maxMarkChars));
          return false;
        }
        output.group = Number(begun[1]);
        // Text before the mark was printed by the login.
        held = held.slice(begun.index + begun[0].length);
      }
      const end = new RegExp(`\\n${mark} (\\d+)\\n`).exec(held);
      if (end === null) output.keep(held.length - maxMarkChars);
      else {
        output.code = Number(end[1]);
        held = held.slice(0, end.index);
      }
      quietly(() => onOutput?.(terminalText(tailOf(output.text + held, limits.bash.maxProgressChars))));
      return end !== null || output.failure !== undefined;
    },

    /** Writes held output to the file. */
    keep(count = held.length): void {
      if (count <= 0 && fileChars > 0) return;
      const part = held.slice(0, wholeCharacter(held, Math.max(count, 0)));
      held = held.slice(part.length);
      try {
        if (fileChars < limits.bash.maxFileBytes) appendFileSync(file, part, { mode: 0o600 });
      } catch (thrown) {
        output.failure ??= thrown;
      }
      fileChars += part.length;
      output.text += part;
      if (output.text.length <= 4 * maxChars) return;
      output.text = headOf(output.text, maxChars) + tailOf(output.text, maxChars);
      output.isCut = true;
    },
  };
  return output;
}
