import { ToolError } from '../../core/error.js';
import { assertArgument, assertOptions, kindOf, type OptionKinds } from '../../core/support/check-values.js';
import { httpUrlKind } from '../../core/support/urls.js';
import { hostKinds } from '../../ports/check-hosts.js';
import type { HttpClient } from '../../ports/http-client.js';
import { createHttpClient } from '../../web/fetch/create-http-client.js';
import { assertPlainText, type Messenger, type OutgoingMessage } from './messenger.js';

/** A channel that accepts messages by POST. */
export interface Webhook {
  /** The address. It is a secret, because everyone who knows it can send messages. No output or error contains it. */
  readonly url: string;
  /** Who reads the channel, in one line. Default none. */
  readonly about?: string | undefined;
  /** Additional HTTP headers, such as credentials. Default none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Returns the JSON body. Default: `{ text }`, and messages with `replyTo` or attachments are refused. */
  readonly body?: ((message: OutgoingMessage) => unknown) | undefined;
}

/** Options of {@link webhookMessenger}. */
export interface WebhookMessengerOptions {
  /** Webhooks by channel name. The model sees the names. */
  readonly channels: Readonly<Record<string, Webhook>>;
  /** Default: `createHttpClient()`, which reaches only public addresses. */
  readonly http?: HttpClient | undefined;
}

const optionKinds: OptionKinds<WebhookMessengerOptions> = { channels: kindOf.record, http: hostKinds.http };
const webhookKinds: OptionKinds<Webhook> = {
  url: httpUrlKind,
  about: kindOf.text,
  headers: kindOf.textsByName,
  body: kindOf.callback,
};

/** Sends messages to webhooks of chat programs. Throws a TypeError for invalid options. */
export function webhookMessenger(options: WebhookMessengerOptions): Messenger {
  assertOptions('webhookMessenger', options, optionKinds, 'channels');
  const { channels, http = createHttpClient() } = options;
  for (const [name, webhook] of Object.entries(channels)) {
    assertArgument(`webhookMessenger: ${name} takes an object`, webhook, kindOf.record, `${name}: { url }`);
    assertOptions(`webhookMessenger: ${name}`, webhook, webhookKinds, 'url');
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
      // After a redirect the client sends a GET without the message, so the message did not arrive.
      if (sent.status < 300 && sent.redirects.length === 0) return {};
      const failure = `The message to ${message.channel} did not arrive, because the webhook redirects.`;
      throw new ToolError('http_error', `${failure} Tell the user to configure the new address of the webhook.`);
    },
  };
}

/** Removes the address of the webhook, which is a credential, from a failure. */
function withoutAddress({ code, metadata, retryAfterMs }: ToolError, channel: string): ToolError {
  const status = typeof metadata?.status === 'number' ? ` (status ${metadata.status})` : '';
  const known = code === 'timeout' || code === 'network_failed' || code === 'interrupted';
  const next = known ? 'It may have arrived: send it again only if the user asks.' : 'Tell the user.';
  return new ToolError(code, `The message to ${channel} failed: ${code}${status}. ${next}`, { retryAfterMs });
}
