import type { Caller } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { mcpNumbers } from '../../core/fixed-limits.js';
import { packageVersion } from '../../core/package-version.js';
import { isRecord } from '../../core/support/check-values.js';
import { nextTurn, onAbort, type Timers, waitFor } from '../../core/support/timers.js';
import type { McpAnswers, McpProgress } from '../../ports/mcp-client.js';
import { answerServer, askForVisits, capabilitiesOf, type ServerQuestions, serverQuestions } from './answer-server.js';
import { type CallTimes, callClock } from './call-clock.js';
import { isAnswer, isBrokenOff, isHarmless, isRefusal, isUndelivered, messageOf, statusOf } from './failures.js';
import type { MessageRate } from './message-stream.js';
import { loadSdk, type McpTransport, type SdkClient } from './sdk.js';
import type { McpLaunch } from './server-config.js';

/** The lists of a server that may change. */
export type ListName = 'tools' | 'prompts' | 'resources';

export interface ConnectionListener {
  /** Called once, when the connection has ended. */
  onEnd(reason: string): void;
  onListChanged(list: ListName): void;
  /** Called when a message has arrived. */
  onMessage(): void;
  /** Called when neither side waits for an answer any more. */
  onIdle(): void;
}

export interface ConnectionOptions extends ConnectionListener {
  readonly server: string;
  readonly launch: McpLaunch;
  readonly transport: McpTransport;
  readonly rate: MessageRate;
  readonly timers: Timers;
  readonly answers: McpAnswers;
}

/** A request to a server, with its time limits. */
export interface ServerRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly times: CallTimes;
  readonly scope: { readonly caller?: Caller; readonly signal: AbortSignal };
  readonly onProgress?: ((progress: McpProgress) => void) | undefined;
}

export type ServerResult = Readonly<Record<string, unknown>>;

type Stop = (reason: ToolError) => void;

// Turns off the timeout of the SDK, which ends a call without progress after a minute. Tests cannot replace its clock.
const noTimeout = { timeout: 2_147_483_647 };

/** One connection to one server. After its end it cannot be used again. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #client: SdkClient;
  readonly #result: Awaited<ReturnType<typeof loadSdk>>['anyResult'];
  readonly #running = new Set<Stop>();
  readonly #progress = new Map<unknown, (progress: McpProgress) => void>();
  readonly #ended = new AbortController();
  readonly #questions: ServerQuestions;
  #tokens = 0;
  #isOpen = false;
  #isProbed = false;

  private constructor(options: ConnectionOptions, { Client, types, anyResult }: Awaited<ReturnType<typeof loadSdk>>) {
    this.#options = options;
    this.#result = anyResult;
    const { server, transport, rate, answers } = options;
    rate.onFlood = (reason) => this.end(reason);
    this.#client = new Client(
      { name: 'toolwright', version: packageVersion },
      { capabilities: capabilitiesOf(answers) },
    );
    this.#client.onclose = () => this.end(transport.whyEnded?.() ?? 'The connection ended.');
    this.#client.onerror = (thrown) => this.#checkAlive(thrown);
    // The SDK calls this handler before its own handlers. The progress handler of the SDK would miss progress that is
    // sent right before an answer.
    transport.onmessage = (message: object) => {
      options.onMessage();
      if ('id' in message && !('method' in message)) transport.answered?.(message.id);
      if ('params' in message && isRecord(message.params)) this.#progressed(message.params);
    };
    this.#client.setNotificationHandler(types.ProgressNotificationSchema, () => {});
    const lists = [
      ['tools', types.ToolListChangedNotificationSchema],
      ['prompts', types.PromptListChangedNotificationSchema],
      ['resources', types.ResourceListChangedNotificationSchema],
    ] as const;
    for (const [list, schema] of lists)
      this.#client.setNotificationHandler(schema, () => void options.onListChanged(list));
    this.#questions = serverQuestions({
      server,
      timers: options.timers,
      signal: this.#ended.signal,
      // The SDK sends the answer before the next turn.
      onAnswered: () => void nextTurn().then(() => this.#tellIfIdle()),
    });
    answerServer(this.#client, types, { server, answers, questions: this.#questions });
  }

  /** Connects. Closes the transport if connecting fails or takes too long, or if the signal aborts. */
  static async open(options: ConnectionOptions, connectTimeoutMs: number, signal: AbortSignal): Promise<Connection> {
    const connection = new Connection(options, await loadSdk());
    const { timers, transport } = options;
    let stop: Stop = () => {};
    const stopped = new Promise<never>((_, reject) => {
      stop = reject;
    });
    const late = new ToolError('timeout', `It did not answer within ${connectTimeoutMs} ms.`);
    const timer = timers.set(() => stop(late), connectTimeoutMs);
    const unlisten = onAbort(signal, () => stop(new ToolError('cancelled', 'It was stopped.')));
    try {
      // The signal may have aborted while the SDK was loading.
      if (signal.aborted) await stopped;
      await Promise.race([connection.#client.connect(transport, noTimeout), stopped]);
      connection.#isOpen = true;
      return connection;
    } catch (thrown) {
      // The last output of the server may explain the failure.
      const why = transport.whyEnded?.();
      connection.#ended.abort();
      await transport.close();
      throw why === undefined || ToolError.is(thrown)
        ? thrown
        : new ToolError('mcp_unavailable', why, { cause: thrown });
    } finally {
      timers.clear(timer);
      unlisten();
    }
  }

  /** The handlers whose capabilities were announced to the server. */
  get answers(): McpAnswers {
    return this.#options.answers;
  }

  /** The program or address of the server. */
  get launch(): McpLaunch {
    return this.#options.launch;
  }

  get isIdle(): boolean {
    return this.#running.size === 0 && !this.#questions.isOpen();
  }

  get instructions(): string | undefined {
    return this.#client.getInstructions();
  }

  /** Whether the server has declared this capability. */
  has(list: ListName): boolean {
    return this.#client.getServerCapabilities()?.[list] !== undefined;
  }

  /**
   * Sends a request. Rejects with a ToolError. An abort sends the server a cancellation and does not end the
   * connection.
   */
  async request({ method, params, times, scope, onProgress }: ServerRequest): Promise<ServerResult> {
    const controller = new AbortController();
    let stopped: ToolError | undefined;
    const stop: Stop = (reason) => {
      stopped ??= reason;
      controller.abort(reason.message);
    };
    const late = (reason: string) => stop(new ToolError('timeout', `${this.#name} did not finish. ${reason}`));
    const clock = callClock(this.#options.timers, times, this.#questions.waitedUntil, late);
    this.#running.add(stop);
    if (scope.caller !== undefined) this.#questions.mayComeFrom(scope.caller, times.maxCallMs);
    const unlisten = onAbort(scope.signal, () =>
      stop(new ToolError('interrupted', 'The call was stopped before it had an answer.')),
    );
    if (this.#ended.signal.aborted) stop(this.#endedError());
    // A progress token is always sent: without it some servers send no progress, and the call would time out.
    const progressToken = ++this.#tokens;
    this.#progress.set(progressToken, (progress) => {
      clock.restartInactivity();
      if (stopped === undefined) onProgress?.(progress);
    });
    try {
      const request = { method, params: { ...params, _meta: { progressToken } } };
      const sent = { ...noTimeout, signal: controller.signal };
      const result = await this.#client.request(request as never, this.#result, sent);
      this.#options.rate.uncount();
      return result;
    } catch (thrown) {
      if (stopped !== undefined) throw stopped;
      const failure = this.#failure(thrown);
      if (this.#isSessionLost(thrown)) await this.#endAfterPause(thrown);
      const { server, answers } = this.#options;
      throw await askForVisits(server, failure, answers.elicitation, scope);
    } finally {
      clock.stop();
      this.#progress.delete(progressToken);
      this.#running.delete(stop);
      this.#tellIfIdle();
      unlisten();
    }
  }

  /** Resolves when the server responds, even if it responds with an error. */
  async ping(): Promise<void> {
    try {
      await this.#client.request({ method: 'ping' }, this.#result, noTimeout);
    } catch (thrown) {
      if (!isAnswer(thrown) && !isRefusal(thrown)) throw thrown;
    }
  }

  /** Ends the connection: open requests fail at once, and all processes of the server end. */
  async close(reason = 'It was stopped.'): Promise<void> {
    this.end(reason);
    await this.#options.transport.close().catch(() => {});
  }

  /** Marks the connection as ended and reports the end once. */
  end(reason: string): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort(reason);
    this.#options.rate.end();
    for (const stop of [...this.#running]) stop(this.#endedError());
    this.#options.onEnd(reason);
  }

  #tellIfIdle(): void {
    if (this.isIdle) this.#options.onIdle();
  }

  #progressed({ progressToken, progress, total, message }: Readonly<Record<string, unknown>>): void {
    if (typeof progress !== 'number') return;
    this.#progress.get(progressToken)?.({
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    });
  }

  get #name(): string {
    return `The MCP server ${JSON.stringify(this.#options.server)}`;
  }

  #endedError(): ToolError {
    const reason = String(this.#ended.signal.reason);
    return new ToolError('mcp_unavailable', `${this.#name} ended before it answered. ${reason}`);
  }

  #failure(thrown: unknown): ToolError {
    if (this.#ended.signal.aborted && !this.#isSessionLost(thrown)) return this.#endedError();
    if (ToolError.is(thrown) && isRefusal(thrown))
      return thrown.with(`${this.#name} refused the request. ${thrown.message}`);
    const isServerError = isAnswer(thrown) && !isBrokenOff(thrown);
    const message = `${this.#name} ${isServerError ? 'answered with an error' : 'could not be reached'}: ${messageOf(thrown)}`;
    return new ToolError(isServerError ? 'mcp_tool_error' : 'mcp_unavailable', message, { cause: thrown });
  }

  /** Whether an error means the end of the session; without a session, 404 means a wrong address. */
  #isSessionLost(thrown: unknown): boolean {
    return isUndelivered(thrown) && (statusOf(thrown) !== 404 || this.#options.transport.sessionId !== undefined);
  }

  /** Ends the connection after a pause in which parallel requests can fail with their own error. */
  async #endAfterPause(thrown: unknown): Promise<void> {
    await waitFor(mcpNumbers.finalOutputMs, this.#ended.signal);
    this.end(messageOf(thrown));
  }

  /**
   * Checks after a transport error whether the server still responds. Over HTTP the client has no other way to notice
   * that the server has ended.
   */
  #checkAlive(thrown: unknown): void {
    if (this.#options.transport.whyEnded !== undefined || !this.#isOpen || this.#isProbed) return;
    if (this.#ended.signal.aborted || !(thrown instanceof Error) || isHarmless(thrown)) return;
    if (this.#isSessionLost(thrown)) {
      void this.#endAfterPause(thrown);
      return;
    }
    const end = (reason: unknown) => this.end(messageOf(reason));
    // The SSE stream has ended, and the session has ended with it. Reopening the stream would not restore the session.
    if ('event' in thrown) {
      end(thrown);
      return;
    }
    this.#isProbed = true;
    void Promise.race([this.ping(), waitFor(mcpNumbers.probeMs, this.#ended.signal)])
      .catch(end)
      .finally(() => {
        this.#isProbed = false;
      });
  }
}
