import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mcpNumbers } from '../../core/fixed-limits.js';
import { atLatest, waitFor } from '../../core/support/timers.js';
import { terminalText } from '../../core/text/terminal.js';
import { ChildEnvironments, markerName, markerValue } from '../../shell/run/child-environment.js';
import { ancestorsOf } from '../../shell/run/process-table.js';
import { ProcessTree } from '../../shell/run/process-tree.js';
import { MessageLines, type MessageRate } from './message-stream.js';
import { overlongMessage, readMessages } from './repair-messages.js';
import type { McpTransport } from './sdk.js';
import type { McpLaunch } from './server-config.js';

type Message = Parameters<McpTransport['send']>[0];

export interface ChildOptions {
  readonly launch: Extract<McpLaunch, { kind: 'stdio' }>;
  readonly maxMessageBytes: number;
  readonly stderrChars: number;
  readonly rate: MessageRate;
  /** The id of the manager. It is set in the environment, to find processes that have left the process group. */
  readonly owner: string;
  /** A number that is unique among the programs of one owner. */
  readonly run: number;
}

/**
 * Runs a server program and exchanges one message per line with it over stdin and stdout. The program leads its own
 * process group, which is ended together with the program. Ignores lines that are not messages. Keeps only the start
 * and the end of a line that is too long.
 */
export class ChildTransport implements McpTransport {
  onclose?: McpTransport['onclose'];
  onmessage?: McpTransport['onmessage'];
  readonly #options: ChildOptions;
  #child: ChildProcess | undefined;
  #tree: ProcessTree | undefined;
  #exited: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #started: Promise<void> = Promise.resolve();
  readonly #ended = new AbortController();
  #end: string | undefined;
  #stderr = '';
  #longestSent = 0;

  constructor(options: ChildOptions) {
    this.#options = options;
  }

  /** Rejects if the program cannot be started, or if {@link close} was called before. */
  start(): Promise<void> {
    this.#started = this.#start();
    return this.#started;
  }

  async #start(): Promise<void> {
    if (this.#closing !== undefined) throw new Error('the transport was closed before the program was started');
    const { launch, owner, run, maxMessageBytes } = this.#options;
    const mark = { [markerName]: markerValue(owner, run, process.env[markerName]) };
    const { env } = new ChildEnvironments().make(process.env, launch.env, mark);
    const { command, args, cwd } = launch;
    const child = spawn(command, args, { cwd, env, stdio: 'pipe', detached: true, windowsHide: true });
    this.#child = child;
    this.#exited = new Promise((resolve) => child.once('exit', resolve));
    // Stream errors are ignored: they are caused by the exit of the program, which is reported separately.
    for (const part of [child, child.stdin, child.stdout, child.stderr]) part.on('error', () => {});
    child.once('exit', (code, signal) => {
      this.#end = signal === null ? `exit code ${code}` : `signal ${signal}`;
      // The last output of the program may still arrive, and processes that it started may keep the pipes open forever.
      this.#overAfter(once(child, 'close'));
    });
    const lines = new MessageLines(maxMessageBytes, {
      line: (text) => this.#line(text),
      overflow: (head, tail) => this.#tell(overlongMessage(head, tail, maxMessageBytes)),
    });
    void this.#read(child.stdout, lines);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-2 * this.#options.stderrChars);
    });
    await once(child, 'spawn');
    const identity = { pid: child.pid ?? 0, owner, run, outputFiles: [], scrub: (text: string) => text };
    this.#tree = new ProcessTree({ ...identity, ancestors: ancestorsOf(process.pid) }, mcpNumbers);
  }

  /** Reads line by line, with pauses if there are too many lines. */
  async #read(stdout: AsyncIterable<Buffer>, lines: MessageLines): Promise<void> {
    try {
      for await (const chunk of stdout)
        for (const _ of lines.push(chunk)) {
          const pause = this.#options.rate.count();
          if (pause !== undefined) await pause;
        }
    } catch {
      // A broken stream counts as ended.
    }
    this.#overAfter(this.#exited);
  }

  async send(message: Message): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin?.writable !== true) throw Object.assign(new Error('the server has closed its input'), { code: 'EPIPE' });
    const line = Buffer.from(`${JSON.stringify(message)}\n`);
    stdin.write(line);
    this.#longestSent = Math.max(this.#longestSent, line.length);
    // A server that sends requests but reads no answers counts as dead. A single message may have any length.
    if (stdin.writableLength > this.#options.maxMessageBytes + this.#longestSent) this.#over();
  }

  whyEnded(): string | undefined {
    const said = terminalText(this.#stderr).trim().slice(-this.#options.stderrChars);
    const end = this.#end === undefined ? undefined : `It ended with ${this.#end}.`;
    if (said === '') return end;
    return `${end ?? ''} Its last output on stderr was:\n${said}`.trimStart();
  }

  /**
   * Ends the program: closes its stdin, then sends SIGTERM and then SIGKILL to all its processes. Resolves when all
   * have ended.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Kills the program without waiting for its end. Called when this process exits. */
  kill(): void {
    this.#tree?.kill();
  }

  async #close(): Promise<void> {
    // The processes of a program are known only after its start.
    await this.#started.catch(() => {});
    const [child, tree] = [this.#child, this.#tree];
    if (child !== undefined && tree !== undefined) {
      tree.notice();
      child.stdin?.end();
      await atLatest(this.#exited, mcpNumbers.endGraceMs);
      if (child.exitCode === null && child.signalCode === null) await tree.end();
      else if ((await tree.settle()).length > 0) await tree.end();
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    }
    this.#over();
  }

  #overAfter(event: Promise<unknown>): void {
    void Promise.race([event.catch(() => {}), waitFor(mcpNumbers.finalOutputMs, this.#ended.signal)]).then(() =>
      this.#over(),
    );
  }

  #over(): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    this.onclose?.();
  }

  #line(text: string): void {
    let messages: readonly unknown[] = [];
    try {
      messages = readMessages(text);
    } catch {
      // Other output of the program.
    }
    for (const message of messages) this.#tell(message);
  }

  #tell(message: unknown): void {
    if (message === undefined || this.#ended.signal.aborted) return;
    try {
      this.onmessage?.(message as Message);
    } catch {
      // An error of the SDK about one message must not stop the reading of the next message.
    }
  }
}
