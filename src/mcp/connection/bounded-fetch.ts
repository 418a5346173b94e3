import { Readable } from 'node:stream';
import { mcpNumbers } from '../../core/fixed-limits.js';
import { isRecord } from '../../core/support/check-values.js';
import { collected } from '../../core/support/collect-bytes.js';
import { answeredWithin, startTimer } from '../../core/support/timers.js';
import { httpRefusal, lacksScope } from './failures.js';
import type { MessageRate } from './message-stream.js';
import { brokenOff, errorIn, readMessages, tooLong } from './repair-messages.js';

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

interface OpenRequest {
  readonly id: RequestId;
  readonly controller: AbortController;
  /** The id of the last event on its stream; the SDK can resume the stream after this event. */
  lastEvent: string | undefined;
}

type Chunks = AsyncGenerator<Uint8Array, void>;

const maxEventIdChars = 1_000;
const maxRefusalBytes = 8_000;
/** Statuses to which the SDK reacts by login, new session or other transport, even if the body has a JSON-RPC error. */
const handledBySdk: ReadonlySet<number> = new Set([401, 404, 405]);

/**
 * Makes a `fetch` that enforces the size limit of each message while the body arrives. It reports requests that get no
 * response, and aborts cancelled requests. Otherwise the SDK would wait forever for these requests.
 */
export function boundedFetch(options: BoundedFetchOptions) {
  const { maxMessageBytes, rate, isAnsweredInPlace, mayWiden, headersFor, onBroken } = options;
  const open = new Map<RequestId, OpenRequest>();
  /** The request ids and `www-authenticate` headers that `isWidened` has seen; cleared after a success. */
  const widened = new Set<unknown>();

  /** Marks a request as finished: it was answered or cancelled. */
  const answered = (id: unknown) => void open.delete(id as RequestId);

  const begin = (id: RequestId | undefined): OpenRequest | undefined => {
    if (id === undefined || !isAnsweredInPlace) return undefined;
    const request = { id, controller: new AbortController(), lastEvent: undefined };
    open.set(id, request);
    return request;
  };

  const end = (request: OpenRequest | undefined, reason: string, code?: number) => {
    if (request !== undefined && open.delete(request.id)) onBroken(request.id, reason, code);
  };

  /** Ends a request after a short wait, because the SDK may still be handling the last message. */
  const endSoon = (request: OpenRequest | undefined) => {
    const late = () => end(request, 'The response ended without an answer.', brokenOff);
    if (request !== undefined) startTimer(late, mcpNumbers.finalOutputMs).unref();
  };

  /** Whether the SDK should ask for a wider OAuth scope. True at most once for each request and each challenge. */
  const isWidened = (response: Response, id: RequestId | undefined): boolean => {
    if (!mayWiden || !lacksScope(response)) return false;
    const before = widened.size;
    return widened.add(id).add(response.headers.get('www-authenticate')).size === before + 2;
  };

  async function* whole(body: ReadableStream<Uint8Array>, request: OpenRequest | undefined): Chunks {
    const read = await collected(body, maxMessageBytes);
    if (read === undefined) {
      end(request, tooLong(maxMessageBytes));
      throw new Error(tooLong(maxMessageBytes));
    }
    yield request === undefined ? read : readableBody(read);
    endSoon(request);
  }

  async function* events(body: ReadableStream<Uint8Array>, request: OpenRequest | undefined): Chunks {
    let bytes = 0;
    let rest = '\n';
    let lastEvent: string | undefined;
    try {
      for await (const chunk of body) {
        const text = rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
        const lastBlank = Math.max(...['\n\n', '\r\r', '\r\n\r\n'].map((blank) => text.lastIndexOf(blank)));
        bytes = lastBlank === -1 ? bytes + chunk.length : text.length - lastBlank;
        lastEvent = [...text.matchAll(/[\r\n]id: ?([^\r\n]+)(?=[\r\n])/g)].at(-1)?.[1] ?? lastEvent;
        if (request !== undefined) request.lastEvent = lastEvent;
        const count = eventsIn(text) - eventsIn(rest);
        rest = text.slice(-maxEventIdChars);
        if (bytes > maxMessageBytes) throw new Error(tooLong(maxMessageBytes));
        yield chunk;
        await rate.count(count);
      }
    } catch (thrown) {
      if (request?.controller.signal.aborted === true) {
        // This message counts as an answer. Without an answer the SDK would resume the stream.
        yield Buffer.from('\n\ndata: {"jsonrpc":"2.0","id":"","result":{}}\n\n');
        return;
      }
      if (bytes > maxMessageBytes) end(request, tooLong(maxMessageBytes));
      else if (lastEvent === undefined) end(request, 'The stream of its answer broke off.', brokenOff);
      throw thrown;
    }
    if (lastEvent === undefined) endSoon(request);
  }

  const resumedBy = (event: string | null) =>
    [...open.values()].find(({ lastEvent }) => event !== null && lastEvent === event);

  const send: typeof fetch = async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input);
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headersFor(address))) if (!headers.has(name)) headers.set(name, value);
    const { id, cancelled, isMessage = false, isFirst = false } = requestIn(init?.body);
    const resumed = resumedBy(headers.get('last-event-id'));
    const request = resumed ?? begin(id);
    const controller = request?.controller ?? new AbortController();
    const signals = [init?.signal, controller.signal].filter((signal) => signal != null);
    try {
      const got = await fetch(input, { ...init, headers, signal: AbortSignal.any(signals) });
      const said = isMessage && !got.ok ? await shortText(got.body) : undefined;
      if (said !== undefined) controller.abort();
      const response = said === undefined ? got : new Response(said || null, got);
      const refusal = isMessage ? httpRefusal(response, said) : undefined;
      if (refusal !== undefined && !isWidened(response, id)) throw refusal;
      const error = isFirst || id === undefined || handledBySdk.has(got.status) ? undefined : errorIn(said ?? '', id);
      if (error !== undefined) return Response.json(error);
      if (isMessage && response.ok) widened.clear();
      if (!response.ok && request === resumed) endSoon(request);
      else if (!response.ok) answered(id);
      if (response.status === 202) endSoon(request);
      const { body } = response;
      if (body === null) return response;
      const isStream = response.headers.get('content-type')?.includes('event-stream') === true;
      const chunks = isStream ? events(body, request) : whole(body, request);
      return new Response(ReadableStream.from(chunks) as unknown as ReadableStream<Uint8Array>, response);
    } catch (thrown) {
      if (request === resumed) endSoon(request);
      else answered(id);
      throw thrown;
    } finally {
      // By now the cancellation has been sent to the server.
      const given = open.get(cancelled ?? '');
      answered(cancelled);
      given?.controller.abort();
    }
  };

  return { fetch: send, answered };
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
  return (await answeredWithin(reading, mcpNumbers.shortRequestMs))?.toString() ?? '';
}

function eventsIn(text: string): number {
  return text.match(/[\r\n]data:/g)?.length ?? 0;
}

/**
 * Reads from a body: the id of its request or of the request that it cancels, whether it is a message of the protocol,
 * and whether it is the first request, `initialize`.
 */
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
