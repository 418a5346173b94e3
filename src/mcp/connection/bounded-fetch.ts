import { isRecord } from '../../core/support/is-record.js';
import { brokenOff, tooLong } from './messages.js';

/** What a fetch for MCP is told. */
export interface BoundedFetchOptions {
  /** One message: an answer in JSON, or one event of a stream. */
  readonly maxMessageBytes: number;
  /** What is sent to an address besides what the protocol needs, which comes first. */
  headersFor(address: URL): Readonly<Record<string, string>>;
  /** The answer to a request will not come, since what carried it broke off. */
  onBroken(id: number | string, reason: string, code?: number): void;
}

/**
 * A fetch whose bodies are bounded message by message while they come in, and which tells of requests whose answer
 * broke off: the SDK would let them wait for ever.
 */
export function boundedFetch({ maxMessageBytes, headersFor, onBroken }: BoundedFetchOptions): typeof fetch {
  return async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input);
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headersFor(address))) if (!headers.has(name)) headers.set(name, value);
    const response = await fetch(input, { ...init, headers });
    const { body } = response;
    if (body === null) return response;
    const isStream = response.headers.get('content-type')?.includes('event-stream') === true;
    const ids = requestIds(init?.body);
    const onEnd: OnEnd = (...why) => ids.forEach((id) => void onBroken(id, ...why));
    const chunks = isStream ? events(body, maxMessageBytes, onEnd) : whole(body, maxMessageBytes, onEnd);
    return new Response(ReadableStream.from(chunks) as unknown as ReadableStream<Uint8Array>, response);
  };
}

type Chunks = AsyncGenerator<Uint8Array, void>;
type OnEnd = (reason: string, code?: number) => void;

async function* whole(body: ReadableStream<Uint8Array>, maxBytes: number, onEnd: OnEnd): Chunks {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      onEnd(tooLong(maxBytes));
      throw new Error(tooLong(maxBytes));
    }
    yield chunk;
  }
}

async function* events(body: ReadableStream<Uint8Array>, maxBytes: number, onEnd: OnEnd): Chunks {
  let bytes = 0;
  let rest = '';
  // A stream whose events have ids can be taken up again where it broke off, which the SDK does.
  let canResume = false;
  try {
    for await (const chunk of body) {
      const text = rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
      const end = Math.max(...['\n\n', '\r\r', '\r\n\r\n'].map((blank) => text.lastIndexOf(blank)));
      bytes = end === -1 ? bytes + chunk.length : text.length - end;
      canResume ||= /(?:^|[\r\n])id:/.test(text);
      rest = text.slice(-3);
      if (bytes > maxBytes) throw new Error(tooLong(maxBytes));
      yield chunk;
    }
  } catch (thrown) {
    if (bytes > maxBytes) onEnd(tooLong(maxBytes));
    else if (!canResume) onEnd('The stream of its answer broke off.', brokenOff);
    throw thrown;
  }
}

function requestIds(body: unknown): readonly (number | string)[] {
  if (typeof body !== 'string') return [];
  const sent: unknown = JSON.parse(body);
  if (!isRecord(sent) || !('method' in sent)) return [];
  return typeof sent.id === 'number' || typeof sent.id === 'string' ? [sent.id] : [];
}
