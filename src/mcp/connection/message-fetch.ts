import { Readable } from 'node:stream';
import { mcpNumbers } from '../../core/fixed-limits.js';
import { isRecord } from '../../core/support/check-values.js';
import { collected } from '../../core/support/collected.js';
import { answeredWithin, startTimer } from '../../core/support/timer.js';
import { httpRefusal, lacksScope } from './failures.js';
import type { MessageRate } from './message-stream.js';
import { brokenOff, errorIn, readMessages, tooLong } from './messages.js';

/** Options of a fetch for MCP. */
export interface BoundedFetchOptions {
  /** The maximum size of one message, which is a JSON response or one event of a stream. */
  readonly maxMessageBytes: number;
  readonly rate: MessageRate;
  /** Whether the HTTP response to a request contains the JSON-RPC response, as in streamable HTTP. */
  readonly isAnsweredInPlace: boolean;
  /** Whether the SDK can ask for a wider OAuth scope. */
  readonly mayWiden: boolean;
  /** Additional headers for an address; headers of the protocol take precedence. */
  headersFor(address: URL): Readonly<Record<string, string>>;
  /** Called when the response or stream of a request has ended without its answer. */
  onBroken(id: RequestId, reason: string, code?: number): void;
}

type RequestId = number | string;

/** A request without an answer yet. */
interface OpenRequest {
  readonly id: RequestId;
  readonly controller: AbortController;
  /** The id of the last event on its stream; the SDK can resume the stream after it. */
  lastEvent: string | undefined;
}

type Chunks = AsyncGenerator<Uint8Array, void>;

const maxEventIdChars = 1_000;
const maxRefusalBytes = 8_000;
/** Statuses that decide what the SDK does (login, new session, other transport), even if the body is an error. */
const telling: ReadonlySet<number> = new Set([401, 404, 405]);

/**
 * A `fetch` that enforces the size limit of each message while the body arrives. The class reports requests that will
 * get no response and aborts cancelled requests, since the SDK would wait forever for both.
 */
export class BoundedFetch {
  readonly #options: BoundedFetchOptions;
  readonly #open = new Map<RequestId, OpenRequest>();
  /** The requests and challenges for which a wider OAuth scope was requested since the last successful request. */
  readonly #widened = new Set<unknown>();

  constructor(options: BoundedFetchOptions) {
    this.#options = options;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input);
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(this.#options.headersFor(address)))
      if (!headers.has(name)) headers.set(name, value);
    const { id, cancelled, isMessage = false, isFirst = false } = requestIn(init?.body);
    const resumed = this.#resumed(headers.get('last-event-id'));
    const request = resumed ?? this.#begin(id);
    const controller = request?.controller ?? new AbortController();
    const signals = [init?.signal, controller.signal].filter((signal) => signal != null);
    try {
      const got = await fetch(input, { ...init, headers, signal: AbortSignal.any(signals) });
      const said = isMessage && !got.ok ? await shortText(got.body) : undefined;
      if (said !== undefined) controller.abort();
      const response = said === undefined ? got : new Response(said || null, got);
      const refusal = isMessage ? httpRefusal(response, said) : undefined;
      if (refusal !== undefined && !this.#isWidened(response, id)) throw refusal;
      const error = isFirst || id === undefined || telling.has(got.status) ? undefined : errorIn(said ?? '', id);
      if (error !== undefined) return Response.json(error);
      if (isMessage && response.ok) this.#widened.clear();
      if (!response.ok && request === resumed) this.#endSoon(request);
      else if (!response.ok) this.answered(id);
      if (response.status === 202) this.#endSoon(request);
      const { body } = response;
      if (body === null) return response;
      const isStream = response.headers.get('content-type')?.includes('event-stream') === true;
      const chunks = isStream ? this.#events(body, request) : this.#whole(body, request);
      return new Response(ReadableStream.from(chunks) as unknown as ReadableStream<Uint8Array>, response);
    } catch (thrown) {
      if (request === resumed) this.#endSoon(request);
      else this.answered(id);
      throw thrown;
    } finally {
      // The server has been told of the cancellation by now.
      const given = this.#open.get(cancelled ?? '');
      this.answered(cancelled);
      given?.controller.abort();
    }
  };

  /** Whether the SDK should ask for a wider OAuth scope. True at most once for each request and each challenge. */
  #isWidened(response: Response, id: RequestId | undefined): boolean {
    if (!this.#options.mayWiden || !lacksScope(response)) return false;
    const before = this.#widened.size;
    return this.#widened.add(id).add(response.headers.get('www-authenticate')).size === before + 2;
  }

  /** Marks a request as finished: it was answered or cancelled. */
  answered(id: unknown): void {
    this.#open.delete(id as RequestId);
  }

  #begin(id: RequestId | undefined): OpenRequest | undefined {
    if (id === undefined || !this.#options.isAnsweredInPlace) return undefined;
    const request = { id, controller: new AbortController(), lastEvent: undefined };
    this.#open.set(id, request);
    return request;
  }

  #resumed(event: string | null): OpenRequest | undefined {
    return [...this.#open.values()].find(({ lastEvent }) => event !== null && lastEvent === event);
  }

  #end(request: OpenRequest | undefined, reason: string, code?: number): void {
    if (request !== undefined && this.#open.delete(request.id)) this.#options.onBroken(request.id, reason, code);
  }

  /** Ends a request after a short wait, because the SDK may still be handling the last message. */
  #endSoon(request: OpenRequest | undefined): void {
    const end = () => this.#end(request, 'The response ended without an answer.', brokenOff);
    if (request !== undefined) startTimer(end, mcpNumbers.lastWordsMs).unref();
  }

  async *#whole(body: ReadableStream<Uint8Array>, request: OpenRequest | undefined): Chunks {
    const { maxMessageBytes } = this.#options;
    const whole = await collected(body, maxMessageBytes);
    if (whole === undefined) {
      this.#end(request, tooLong(maxMessageBytes));
      throw new Error(tooLong(maxMessageBytes));
    }
    yield request === undefined ? whole : readableBody(whole);
    this.#endSoon(request);
  }

  async *#events(body: ReadableStream<Uint8Array>, request: OpenRequest | undefined): Chunks {
    const { maxMessageBytes } = this.#options;
    let bytes = 0;
    let rest = '\n';
    let lastEvent: string | undefined;
    try {
      for await (const chunk of body) {
        const text = rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
        const end = Math.max(...['\n\n', '\r\r', '\r\n\r\n'].map((blank) => text.lastIndexOf(blank)));
        bytes = end === -1 ? bytes + chunk.length : text.length - end;
        lastEvent = [...text.matchAll(/[\r\n]id: ?([^\r\n]+)(?=[\r\n])/g)].at(-1)?.[1] ?? lastEvent;
        if (request !== undefined) request.lastEvent = lastEvent;
        const events = eventsIn(text) - eventsIn(rest);
        rest = text.slice(-maxEventIdChars);
        if (bytes > maxMessageBytes) throw new Error(tooLong(maxMessageBytes));
        yield chunk;
        await this.#options.rate.count(events);
      }
    } catch (thrown) {
      if (request?.controller.signal.aborted === true) {
        // This message counts as an answer. Without an answer the SDK would resume the stream.
        yield Buffer.from('\n\ndata: {"jsonrpc":"2.0","id":"","result":{}}\n\n');
        return;
      }
      if (bytes > maxMessageBytes) this.#end(request, tooLong(maxMessageBytes));
      else if (lastEvent === undefined) this.#end(request, 'The stream of its answer broke off.', brokenOff);
      throw thrown;
    }
    if (lastEvent === undefined) this.#endSoon(request);
  }
}

/** Rewrites the messages in a body so that the SDK can read them. Returns any other body unchanged. */
function readableBody(body: Buffer): Buffer {
  try {
    return Buffer.from(JSON.stringify(readMessages(body.toString())));
  } catch {
    return body;
  }
}

/** The text of a body; empty for a long body, since the scrubber would not recognise half a credential. */
async function shortText(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const reading = collected(body ?? Readable.from([]), maxRefusalBytes).catch(() => undefined);
  return (await answeredWithin(reading, mcpNumbers.farewellMs))?.toString() ?? '';
}

function eventsIn(text: string): number {
  return text.match(/[\r\n]data:/g)?.length ?? 0;
}

/** The id of the request in a body, or of the request that the body cancels. */
function requestIn(body: unknown): {
  readonly id?: RequestId;
  readonly cancelled?: RequestId;
  readonly isMessage?: boolean;
  readonly isFirst?: boolean;
} {
  const sent: unknown = typeof body === 'string' && body.startsWith('{') ? JSON.parse(body) : undefined;
  if (!isRecord(sent) || !('jsonrpc' in sent)) return {};
  const { id, method, params } = sent;
  const isMessage = true;
  if (isRequestId(id) && method !== undefined) return { id, isMessage, isFirst: method === 'initialize' };
  const cancelled = method === 'notifications/cancelled' && isRecord(params) ? params.requestId : undefined;
  return isRequestId(cancelled) ? { cancelled, isMessage } : { isMessage };
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'number' || typeof id === 'string';
}
