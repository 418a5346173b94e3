import { ToolError } from '../../core/error.js';
import { parseAddress } from '../../core/http/parse-address.js';
import { argumentMistake, kindThatCame } from '../../core/support/argument-mistake.js';
import { isRecord } from '../../core/support/is-record.js';
import { assertNeeded, assertOptions, kindOf, type OptionKinds } from '../../core/support/option-kinds.js';
import { hostKinds } from '../../ports/host-kinds.js';
import type { HttpClient } from '../../ports/http-client.js';
import { createHttpClient } from '../../web/fetch/create-http-client.js';
import type { Messenger, OutgoingMessage } from './messenger.js';
import { assertPlainText } from './plain-text.js';

/** A channel that a POST brings messages to. */
export interface Webhook {
  /** Whoever knows it can send: it is in no output. */
  readonly url: string;
  /** Who reads the channel, in a line. Default none. */
  readonly about?: string | undefined;
  /** Further headers, such as credentials. Default none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What to send as JSON. Default `{ text }`, and a message with `replyTo` or attachments is refused. */
  readonly body?: ((message: OutgoingMessage) => unknown) | undefined;
}

/** Where webhooks lead, and how they are reached. */
export interface WebhookMessengerOptions {
  /** By the names that the model knows them by. */
  readonly channels: Readonly<Record<string, Webhook>>;
  /** Default: a client that reaches public addresses alone, `createHttpClient()`. */
  readonly http?: HttpClient | undefined;
}

const optionKinds: OptionKinds<WebhookMessengerOptions> = { channels: kindOf.record, http: hostKinds.http };
const webhookKinds: OptionKinds<Webhook> = {
  url: {
    takes: 'an http(s) address',
    holds: (value) => typeof value === 'string' && /^https?:$/.test(parseAddress(value)?.protocol ?? ''),
  },
  about: kindOf.text,
  headers: kindOf.textsByName,
  body: kindOf.callback,
};

/** Sends messages to webhooks, as chat programs offer them. Throws a TypeError for options of another kind. */
export function webhookMessenger(options: WebhookMessengerOptions): Messenger {
  assertNeeded('webhookMessenger', options, 'channels');
  assertOptions('webhookMessenger', options, optionKinds);
  const { channels, http = createHttpClient() } = options;
  for (const [name, webhook] of Object.entries(channels)) {
    if (!isRecord(webhook))
      throw argumentMistake(`webhookMessenger: ${name} takes an object`, kindThatCame(webhook), `${name}: { url }`);
    assertOptions(`webhookMessenger: ${name}`, webhook, webhookKinds);
    assertNeeded(`webhookMessenger: ${name}`, webhook, 'url');
  }
  return {
    channels: () => Object.entries(channels).map(([name, { about }]) => ({ name, about })),
    async send(message, scope) {
      if (!Object.hasOwn(channels, message.channel)) return undefined;
      const { url, headers, body } = channels[message.channel] as Webhook;
      if (body === undefined) assertPlainText(message);
      const content = JSON.stringify(body === undefined ? { text: message.text } : body(message));
      if (content === undefined) throw new TypeError(`body of the channel ${message.channel} returned no JSON`);
      const post = { url, headers: { 'content-type': 'application/json', ...headers }, body: content };
      const sent = await http.post({ ...post, staysOnHost: true }, scope).catch((thrown) => {
        throw withoutAddress(ToolError.from(thrown), message.channel);
      });
      // What a redirect leads to is asked by GET, without the message.
      if (sent.status < 300 && sent.redirects.length === 0) return {};
      const failure = `The message to ${message.channel} did not arrive: its webhook redirects.`;
      throw new ToolError('http_error', `${failure} Tell the user to set its new address.`);
    },
  };
}

/** The same failure in words that do not hold the address, which is a credential. */
function withoutAddress({ code, metadata, retryAfterMs }: ToolError, channel: string): ToolError {
  const status = typeof metadata?.status === 'number' ? ` (status ${metadata.status})` : '';
  const known = code === 'timeout' || code === 'network_failed' || code === 'interrupted';
  const next = known ? 'It may have arrived: do not send it again unasked.' : 'Tell the user.';
  return new ToolError(code, `The message to ${channel} failed: ${code}${status}. ${next}`, {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
