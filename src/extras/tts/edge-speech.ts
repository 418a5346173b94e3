import type { Readable } from 'node:stream';
import { ToolError } from '../../core/error.js';
import { onAbort } from '../../core/support/on-abort.js';
import { assertOptions, having, kindOf, type OptionKinds } from '../../core/support/option-kinds.js';
import { hostKinds } from '../../ports/host-kinds.js';
import type { HttpClient } from '../../ports/http-client.js';
import { createHttpClient, rulesOfClient } from '../../web/fetch/create-http-client.js';
import { type EdgeTtsConnection, type EdgeTtsPackage, loadEdgeTts } from './edge-tts.js';
import { guardedAgent } from './guarded-agent.js';
import { madeFormat } from './sound-format.js';
import type { Speech } from './speech.js';

/** Which voice speaks, and how it is reached. */
export interface EdgeSpeechOptions {
  /** Where a call names none. Default `en-US-AriaNeural`. */
  readonly voice?: string | undefined;
  /** The client of {@link createHttpClient} whose rules for hosts and addresses hold. Default: the public web. */
  readonly http?: HttpClient | undefined;
  /** The package `msedge-tts`, where it cannot be imported by that name. */
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
 * Speaks by the voices of the browser Edge, without a key, by the optional package `msedge-tts`. It speaks WebSocket
 * by itself, over connections that are checked as those of the HTTP client are. The text goes to Microsoft. Throws a
 * TypeError for options of another kind, and for a client that {@link createHttpClient} has not made.
 */
export function edgeSpeech(options: EdgeSpeechOptions = {}): Speech {
  assertOptions('edgeSpeech', options, optionKinds);
  const { voice: usual = 'en-US-AriaNeural', http = createHttpClient() } = options;
  const rules = rulesOfClient(http);
  if (rules === undefined)
    throw new TypeError('edgeSpeech: http takes a client of createHttpClient, whose rules are known');
  return {
    name,
    async speak({ text, voice = usual, format, speed = 1 }, { signal }) {
      madeFormat(format, ['mp3'], name);
      // It stands in XML beside the text.
      if (!/^[a-z]{2,3}-[A-Za-z]+-[\w-]+$/.test(voice))
        throw new ToolError('invalid_input', `voice: ${name} takes a voice such as en-US-AriaNeural.`);
      const { MsEdgeTTS } = options.package ?? (await loadEdgeTts());
      const { agent, close } = guardedAgent(rules, signal);
      const connection = new MsEdgeTTS({ agent });
      const work = soundOf(connection, voice, escaped(text), speed);
      // Where it is not waited for any more.
      work.catch(() => {});
      let forget = () => {};
      const stopped = new Promise<never>((_, reject) => {
        forget = onAbort(signal, () => reject(new ToolError('interrupted', 'Speaking was interrupted.')));
      });
      try {
        return await Promise.race([stopped, work]);
      } catch (thrown) {
        throw failure(thrown);
      } finally {
        forget();
        // What it made of the connection would wait for an answer for half a minute.
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

/** Rejects with what the package throws for a message, which would end this process. */
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

/** It is not destroyed at a failure: the package writes into it for as long as something comes. */
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

/** Its words are not repeated: they hold the address with its keys. */
function failure(thrown: unknown): ToolError {
  const { cause, message = '' } = Object(thrown) as { readonly cause?: unknown; readonly message?: string };
  const known = [thrown, cause].find((one) => ToolError.is(one));
  if (known !== undefined) return known;
  const status = /server response: (\d{3})/.exec(message)?.[1];
  return status === undefined
    ? new ToolError('network_failed', `${name} failed: network_failed. Go on without it.`, { cause: thrown })
    : new ToolError('http_error', `${name} failed with status ${status}. Go on without it.`, { cause: thrown });
}

function escaped(text: string): string {
  return text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
