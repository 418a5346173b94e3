import { Agent } from 'node:https';
import type { Duplex, Readable } from 'node:stream';
import { connect as connectSecurely } from 'node:tls';
import { ToolError } from '../../core/error.js';
import { neededPackage } from '../../core/require-package.js';
import {
  assertOptions,
  having,
  kindOf,
  type OptionKinds,
  withHandledRejection,
} from '../../core/support/check-values.js';
import { unlessAborted } from '../../core/support/timers.js';
import { hostKinds } from '../../ports/check-hosts.js';
import type { HttpClient } from '../../ports/http-client.js';
import { connectionsOf, createHttpClient, type GuardedConnections } from '../../web/fetch/create-http-client.js';
import { madeFormat, type Speech } from './speech.js';

/** Options of {@link edgeSpeech}. */
export interface EdgeSpeechOptions {
  /** The voice for calls that name no voice. Default `en-US-AriaNeural`. */
  readonly voice?: string | undefined;
  /** A client of {@link createHttpClient}; its rules for hosts and addresses apply. Default: the public web. */
  readonly http?: HttpClient | undefined;
  /** The package `msedge-tts`, if it cannot be imported by that name. */
  readonly package?: EdgeTtsPackage | undefined;
}

const optionKinds: OptionKinds<EdgeSpeechOptions> = {
  voice: kindOf.text,
  http: hostKinds.http,
  package: having('the package msedge-tts', 'MsEdgeTTS'),
};
const name = 'Edge speech';
const soundForm = 'audio-24khz-96kbitrate-mono-mp3';
const maxBytes = 50_000_000;

/**
 * Speaks with the voices of the browser Edge, through the optional package `msedge-tts` and without an API key. The
 * text is sent to Microsoft. The WebSocket connections of the package pass the address checks of the HTTP client.
 * Throws a TypeError for invalid options, also for a client that is not from {@link createHttpClient}.
 */
export function edgeSpeech(options: EdgeSpeechOptions = {}): Speech {
  assertOptions('edgeSpeech', options, optionKinds);
  const { voice: usual = 'en-US-AriaNeural', http = createHttpClient() } = options;
  const connections = connectionsOf(http);
  if (connections === undefined)
    throw new TypeError(
      'edgeSpeech: http takes a client of createHttpClient; other clients have no known address rules',
    );
  return {
    name,
    async speak({ text, voice = usual, format, speed = 1 }, { signal }) {
      madeFormat(format, ['mp3'], name);
      // The voice becomes part of the XML request.
      if (!/^[a-z]{2,3}-[A-Za-z]+-[\w-]+$/.test(voice))
        throw new ToolError('invalid_input', `voice: ${name} takes a voice such as en-US-AriaNeural.`);
      const { MsEdgeTTS } = options.package ?? (await neededPackage<EdgeTtsPackage>('msedge-tts', 'Edge speech needs'));
      const { agent, close } = guardedAgent(connections, signal);
      const connection = new MsEdgeTTS({ agent });
      // After an abort nothing awaits this promise.
      const work = withHandledRejection(soundOf(connection, voice, escaped(text), speed));
      try {
        return await unlessAborted(work, signal, (): never => {
          throw new ToolError('interrupted', 'Speaking was interrupted.');
        });
      } catch (thrown) {
        throw failure(thrown);
      } finally {
        // Otherwise the TLS connection waits half a minute for an answer.
        close();
        connection.close();
      }
    },
  };
}

async function soundOf(connection: EdgeTtsConnection, voice: string, text: string, rate: number): Promise<Uint8Array> {
  await connection.setMetadata(voice, soundForm, {});
  const misread = firstMisread(connection);
  return await Promise.race([misread, bytesOf(connection.toStream(text, { rate }).audioStream)]);
}

/** Rejects with the error of the package for an unknown message. Uncaught, the error would end this process. */
function firstMisread({ _ws: socket }: EdgeTtsConnection): Promise<never> {
  return new Promise((_, reject) => {
    const read = socket?.onmessage;
    if (socket === undefined || typeof read !== 'function') return;
    socket.onmessage = (message) => {
      try {
        read(message);
      } catch (thrown) {
        reject(thrown);
      }
    };
  });
}

/** Reads a stream to its end. Never destroys the stream, because the package keeps writing into it. */
function bytesOf(stream: Readable): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parts: Uint8Array[] = [];
    let size = 0;
    stream.on('data', (part: Uint8Array) => {
      size += part.byteLength;
      if (size <= maxBytes) parts.push(part);
      else reject(new ToolError('limit_reached', `${name} gave over ${maxBytes} bytes. Speak less at once.`));
    });
    stream.on('end', () => resolve(Buffer.concat(parts)));
    stream.on('error', reject);
  });
}

/** Converts an error. Drops its message, which may contain the address with its keys. */
function failure(thrown: unknown): ToolError {
  const { cause, message = '' } = Object(thrown) as { readonly cause?: unknown; readonly message?: string };
  const known = [thrown, cause].find((one) => ToolError.is(one));
  if (known !== undefined) return known;
  const status = /server response: (\d{3})/.exec(message)?.[1];
  const [code, what] = status ? ['http_error', ` with status ${status}`] : ['network_failed', ': network_failed'];
  return new ToolError(code, `${name} failed${what}. Go on without it.`, { cause: thrown });
}

function escaped(text: string): string {
  return text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

type Done = (error: unknown, stream?: Duplex) => void;

/**
 * An HTTPS agent for a package that makes its own requests. It connects only to addresses that an HTTP client allows.
 * `close` destroys all its connections, also those upgraded to WebSocket.
 */
function guardedAgent(connections: GuardedConnections, signal: AbortSignal): { readonly agent: Agent; close(): void } {
  const control = new AbortController();
  const ends = AbortSignal.any([control.signal, signal]);
  const streams = new Set<Duplex>();
  const connect = async (host: string, port: number): Promise<Duplex> => {
    const plain = await connections.open(`https://${host}:${port}/`, ends);
    const stream = connectSecurely({ socket: plain, host, servername: host });
    streams.add(plain).add(stream);
    return stream;
  };
  const agent = Object.assign(new Agent(), {
    createConnection({ host = '', port = 443 }: { host?: string; port?: number }, done: Done) {
      connect(host, Number(port)).then((stream) => done(null, stream), done);
    },
  });
  return {
    agent,
    close() {
      control.abort();
      for (const stream of streams) stream.destroy();
    },
  };
}

/** The members of the package `msedge-tts` that are used. */
export interface EdgeTtsPackage {
  readonly MsEdgeTTS: new (options: { readonly agent: Agent }) => EdgeTtsConnection;
}

/** A connection to the service. */
export interface EdgeTtsConnection {
  setMetadata(voice: string, format: string, options: object): Promise<void>;
  /** Sends a text, which must be escaped for XML. */
  toStream(text: string, options: { readonly rate: number }): { readonly audioStream: Readable };
  close(): void;
  /** The WebSocket once it is connected. Its `onmessage` throws for an unknown message. */
  readonly _ws?: { onmessage: ((message: unknown) => void) | null };
}
