import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { constants } from 'node:os';
import type * as nodePty from '@lydell/node-pty';
import type * as headless from '@xterm/headless';
import { ToolError } from '../../core/error.js';
import { optionalPackage } from '../../core/support/optional-package.js';
import type { Screen, ScreenLines } from '../output/screen.js';
import { type ProcessEnd, type ProcessRequest, refusedStart, type StartedProcess } from './start-process.js';

const size = { cols: 80, rows: 24 };
/** Rows above the screen that are kept for recognising secrets. */
const scrollback = 200;
/** Maximum size of pending output for the screen. Beyond this size, only the newest output is kept. */
const maxWaitingBytes = 200_000;
/** Number of a control sequence (OSC) that no terminal uses. */
const endSequence = 7_777;
/**
 * A script that leads the session in place of the command, because the kernel drops unread output when a session leader
 * ends. After all output, the script reports the exit code in a control sequence and stops itself until it is ended.
 * The script survives Ctrl-C, which ends only the command.
 */
const leader = `trap : INT QUIT; exec 3>&2 2>/dev/null; token=$1; shift; "$@" 2>&3 3>&-; code=$?
printf '\\030\\033]${endSequence};%s;%s\\007' "$token" "$code"; while :; do kill -STOP $$; done`;

/** Loads the packages and creates a terminal. */
export async function openTerminal(): Promise<Terminal> {
  return new Terminal(await loadTerminalPackages());
}

/** A pseudo-terminal for one command, with its screen. */
export class Terminal implements Screen {
  readonly #spawn: TerminalPackages['spawn'];
  readonly #screen: HeadlessScreen;
  #pty: Pty | undefined;
  #last: ScreenLines | undefined;
  #waiting = Buffer.alloc(0);
  #isDrawing = false;

  constructor({ spawn, Terminal: Headless }: TerminalPackages) {
    this.#spawn = spawn;
    this.#screen = new Headless({ ...size, scrollback, allowProposedApi: true });
  }

  /**
   * Starts a program as the leader of a session and group on this terminal. The raw output is also written to the
   * output file. Rejects with `execution_failed` if the system does not start the program.
   */
  async start({ file, arguments: words, cwd, env, stdout }: ProcessRequest): Promise<StartedProcess> {
    const token = randomBytes(8).toString('hex');
    const started = ['-c', leader, 'sh', token, file, ...words];
    let pty: Pty;
    try {
      pty = this.#spawn('/bin/sh', started, {
        ...size,
        name: 'xterm-256color',
        cwd,
        env: withoutSize(env),
        encoding: null,
      });
    } catch (cause) {
      throw refusedStart(cause);
    }
    this.#pty = pty;
    // Sends the replies of the terminal to queries of programs, for example for the cursor position.
    this.#screen.onData((answer) => pty.write(answer));
    // With the encoding null, node-pty passes bytes although its type says string.
    pty.onData((output) => this.#show(output as unknown as Uint8Array, stdout));
    const ended = new Promise<ProcessEnd>((resolve) => {
      let code: number | undefined;
      this.#screen.parser.registerOscHandler(endSequence, (data) => {
        const [receivedToken, exitCode] = data.split(';');
        if (receivedToken !== token) return false;
        code = Number(exitCode);
        pty.kill('SIGKILL');
        return true;
      });
      pty.onExit(({ exitCode, signal = 0 }) => {
        // The callback runs when all earlier output is on the screen.
        this.#screen.write(this.#waiting, () => {
          this.#close();
          if (code !== undefined || signal === 0) resolve({ exitCode: code ?? exitCode, signal: undefined });
          else resolve({ exitCode: undefined, signal: signalName(signal) });
        });
      });
    });
    return { pid: pty.pid, ended };
  }

  type(text: string): void {
    this.#pty?.write(text);
  }

  lines(): ScreenLines {
    if (this.#last !== undefined) return this.#last;
    const { active: buffer } = this.#screen.buffer;
    const lines: string[] = [];
    let shownFrom = 0;
    for (let row = 0; row < buffer.length; row++) {
      const line = buffer.getLine(row);
      // Wrapped lines are joined, since a secret may be wrapped.
      if (row > 0 && line?.isWrapped === true) lines.push(`${lines.pop() ?? ''}${line.translateToString(true)}`);
      else lines.push(line?.translateToString(true) ?? '');
      if (row === buffer.baseY) shownFrom = lines.length - 1;
    }
    return { lines, shownFrom };
  }

  #show(bytes: Uint8Array, file: number): void {
    if (this.#last !== undefined) return;
    try {
      writeSync(file, bytes);
    } catch {
      // The disk is full; the screen continues.
    }
    this.#waiting = Buffer.concat([this.#waiting, bytes]).subarray(-maxWaitingBytes);
    this.#draw();
  }

  #draw(): void {
    if (this.#isDrawing || this.#waiting.length === 0) return;
    this.#isDrawing = true;
    const bytes = this.#waiting;
    this.#waiting = Buffer.alloc(0);
    this.#screen.write(bytes, () => {
      this.#isDrawing = false;
      this.#draw();
    });
  }

  /** Keeps the last screen as text. */
  #close(): void {
    this.#last = this.lines();
    this.#pty = undefined;
    this.#screen.dispose();
  }
}

/** Removes variables that programs would use instead of the real size of the terminal. */
function withoutSize({ COLUMNS: _, LINES: __, ...env }: Readonly<Record<string, string>>): Record<string, string> {
  return env;
}

function signalName(number: number): string {
  const [name] = Object.entries(constants.signals).find(([, value]) => value === number) ?? [];
  return name ?? `signal ${number}`;
}

/** A program on a pseudo-terminal. */
export type Pty = nodePty.IPty;
export type HeadlessScreen = headless.Terminal;

/** The used parts of the two optional packages. */
export interface TerminalPackages {
  readonly spawn: typeof nodePty.spawn;
  readonly Terminal: typeof headless.Terminal;
}

/** Loads the packages. Rejects with `not_configured` if a package is missing. */
export async function loadTerminalPackages(): Promise<TerminalPackages> {
  try {
    const [{ spawn }, { Terminal }] = await Promise.all([
      optionalPackage('@lydell/node-pty').then((loaded) => ofCommonJs<typeof nodePty>(loaded)),
      optionalPackage('@xterm/headless').then((loaded) => ofCommonJs<typeof headless>(loaded)),
    ]);
    return { spawn, Terminal };
  } catch (cause) {
    throw new ToolError(
      'not_configured',
      'Interactive commands need the packages @lydell/node-pty and @xterm/headless. Ask the user to run: ' +
        'npm install @lydell/node-pty @xterm/headless',
      { cause },
    );
  }
}

function ofCommonJs<Module>(loaded: unknown): Module {
  const { default: exported } = loaded as { readonly default?: Module };
  return exported ?? (loaded as Module);
}
