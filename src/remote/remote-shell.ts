import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { Limits } from '../core/limits.js';
import { systemTimers, type Timers } from '../core/support/timer.js';
import { headOf, tailOf } from '../core/text/cut-text.js';
import { shellQuote } from '../core/text/shell-quote.js';
import { terminalText } from '../core/text/terminal-text.js';
import type { Shell, ShellOutcome, ShellRequest } from '../ports/shell.js';
import { askRemote, endRemote, type RemoteRun, startRemote } from './remote-program.js';

/** Limits of commands and their output. */
export type RemoteShellLimits = Pick<Limits, 'bash' | 'output'>;

/**
 * The length of the longest mark. As many characters are held back, so that no part of a mark is written to the file.
 */
const maxMarkChars = 200;

const variable = /^[A-Za-z_]\w*$/;

/**
 * Runs commands on another machine. Each command runs there in its own session (`setsid`). At the end of the command,
 * all processes of its process group are killed, also background processes. If the connection is lost, the command may
 * go on, and its outcome has the exit code of the local program.
 */
export class RemoteShell implements Shell, Disposable {
  readonly #run: RemoteRun;
  readonly #root: string;
  readonly #limits: RemoteShellLimits;
  readonly #timers: Timers;
  readonly #folder = mkdtempSync(join(tmpdir(), 'toolwright-remote-'));
  readonly #running = new Set<() => void>();
  #count = 0;

  constructor(run: RemoteRun, root: string, limits: RemoteShellLimits, timers: Timers = systemTimers) {
    this.#run = run;
    this.#root = root;
    this.#limits = limits;
    this.#timers = timers;
  }

  /** Ends running commands and removes the output files. */
  [Symbol.dispose](): void {
    for (const end of this.#running) end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async run(request: ShellRequest, { signal }: CallScope): Promise<ShellOutcome> {
    if (signal.aborted) throw new ToolError('cancelled', 'The command was cancelled before it started.');
    const limitMs = request.timeoutMs ?? this.#limits.bash.timeoutMs;
    const mark = `mark-${randomBytes(12).toString('hex')}`;
    const child = startRemote(this.#run, this.#lineOf(request, mark));
    const output = new MarkedOutput(mark, join(this.#folder, `${++this.#count}.txt`), this.#limits, request.onOutput);
    const outcome = await new Promise<'ended' | 'timeout' | 'aborted' | Error>((resolve) => {
      const timer = this.#timers.set(() => resolve('timeout'), limitMs);
      const abort = () => resolve('aborted');
      const settle = () => resolve('ended');
      signal.addEventListener('abort', abort, { once: true });
      this.#running.add(abort);
      child.once('error', resolve).once('close', settle);
      child.stdin?.on('error', () => {}).end();
      child.stderr?.resume();
      child.stdout?.on('data', (chunk: Buffer) => output.take(chunk) && settle());
      void output.ended.then(() => {
        this.#timers.clear(timer);
        signal.removeEventListener('abort', abort);
        this.#running.delete(abort);
      });
    });
    output.end();
    // The end of the local program does not end the remote command.
    if (outcome !== 'ended' && output.group !== undefined) await this.#endGroup(output.group);
    endRemote(child);
    if (outcome instanceof Error)
      throw new ToolError('execution_failed', `The remote program cannot be started: ${outcome.message}`, {
        cause: outcome,
      });
    if (outcome === 'aborted') throw new ToolError('interrupted', `The command was interrupted.\n${output.text}`);
    return this.#outcomeOf(output, outcome === 'timeout', limitMs, child.exitCode);
  }

  /** Prints the process group, runs the command, prints its exit code, then ends the rest of the group. */
  #lineOf({ command, cwd = this.#root, env = {} }: ShellRequest, mark: string): string {
    const relative = posix.relative(this.#root, cwd);
    if (!posix.isAbsolute(cwd) || relative === '..' || relative.startsWith('../'))
      throw new ToolError('path_outside_root', `${cwd} is outside ${this.#root}. Use a folder inside it.`);
    const bad = Object.keys(env).find((name) => !variable.test(name));
    if (bad !== undefined)
      throw new ToolError(
        'invalid_input',
        `${JSON.stringify(bad)} is not the name of a variable. Use letters, digits and _.`,
      );
    const exported = Object.entries(env).map(([name, value]) => `export ${name}=${shellQuote(value)}\n`);
    const inner = `echo ${mark} $$; (exec sh -c ${shellQuote(command)}); c=$?; echo; echo ${mark} $c; kill -s KILL -- -$$`;
    return `cd -- ${shellQuote(cwd)} || exit 1\n${exported.join('')}exec setsid sh -c ${shellQuote(inner)} </dev/null 2>&1`;
  }

  async #endGroup(group: number): Promise<void> {
    const limit = new AbortController();
    const timer = this.#timers.set(() => limit.abort(), this.#limits.bash.killGraceMs + 5_000);
    const line = `kill -s KILL -- -${group}`;
    await askRemote(this.#run, line, { signal: limit.signal, maxBytes: 1_000_000 }).catch(() => {});
    this.#timers.clear(timer);
  }

  #outcomeOf(output: MarkedOutput, timedOut: boolean, limitMs: number, own: number | null): ShellOutcome {
    const { maxChars } = this.#limits.output;
    const text = terminalText(output.text);
    const truncated = output.isCut || text.length > maxChars;
    const gap = `\n[… the whole output is in ${output.file} …]\n`;
    const code = output.code ?? own ?? undefined;
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
    };
  }
}

/** Parses the output: the group, the output of the command, and the exit code, separated by a random mark. */
class MarkedOutput {
  readonly file: string;
  readonly ended: Promise<void>;
  readonly #mark: string;
  readonly #limits: RemoteShellLimits;
  readonly #onOutput: ShellRequest['onOutput'];
  readonly #decoder = new StringDecoder('utf8');
  #settle = () => {};
  /** Output that is not written to the file yet. */
  #held = '';
  #fileChars = 0;
  group: number | undefined;
  code: number | undefined;
  /** The output, without its middle if it is long. */
  text = '';
  isCut = false;

  constructor(mark: string, file: string, limits: RemoteShellLimits, onOutput: ShellRequest['onOutput']) {
    this.#mark = mark;
    this.file = file;
    this.#limits = limits;
    this.#onOutput = onOutput;
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Reads a part of the output. Returns true when the command has ended. */
  take(chunk: Buffer): boolean {
    this.#held += this.#decoder.write(chunk);
    if (this.group === undefined) {
      const begun = new RegExp(`^${this.#mark} (\\d+)\\n`, 'm').exec(this.#held);
      if (begun === null) return false;
      this.group = Number(begun[1]);
      // Text before the mark was printed by the login.
      this.#held = this.#held.slice(begun.index + begun[0].length);
    }
    const end = new RegExp(`\\n${this.#mark} (\\d+)\\n`).exec(this.#held);
    if (end === null) this.#keep(this.#held.length - maxMarkChars);
    else {
      this.code = Number(end[1]);
      this.#held = this.#held.slice(0, end.index);
    }
    const { maxProgressChars } = this.#limits.bash;
    try {
      this.#onOutput?.(terminalText(tailOf(this.text + this.#held, maxProgressChars)));
    } catch {
      // A listener cannot change the command.
    }
    return end !== null;
  }

  end(): void {
    this.#keep(this.#held.length);
    this.#settle();
  }

  #keep(count: number): void {
    if (count <= 0 && this.#fileChars > 0) return;
    const part = this.#held.slice(0, Math.max(count, 0));
    this.#held = this.#held.slice(part.length);
    if (this.#fileChars < this.#limits.bash.maxFileBytes) appendFileSync(this.file, part, { mode: 0o600 });
    this.#fileChars += part.length;
    this.text += part;
    const { maxChars } = this.#limits.output;
    if (this.text.length <= 4 * maxChars) return;
    this.text = headOf(this.text, maxChars) + tailOf(this.text, maxChars);
    this.isCut = true;
  }
}
