import { isRecord } from '../../core/support/is-record.js';
import type { McpAuthProvider } from './sdk.js';

/** Hears of what a provider of logins does. */
export interface ProviderWatcher {
  /** A token that it gives: what must never be shown. */
  onSecret(secret: string): void;
  /** Somebody was sent to log in. */
  onLogin(): void;
}

const minSecretChars = 8;

/** The same provider, watched. */
export function watchedProvider(provider: McpAuthProvider, { onSecret, onLogin }: ProviderWatcher): McpAuthProvider {
  const watched: Pick<McpAuthProvider, 'tokens' | 'redirectToAuthorization'> = {
    tokens: async () => {
      const tokens = await provider.tokens();
      for (const [name, value] of Object.entries(isRecord(tokens) ? tokens : {}))
        if (/_token$/.test(name) && typeof value === 'string' && value.length >= minSecretChars) onSecret(value);
      return tokens;
    },
    redirectToAuthorization: async (address) => {
      await provider.redirectToAuthorization(address);
      onLogin();
    },
  };
  return new Proxy(provider, {
    get: (_, name) => {
      if (Object.hasOwn(watched, name)) return watched[name as keyof typeof watched];
      const value: unknown = Reflect.get(provider, name);
      return typeof value === 'function' ? value.bind(provider) : value;
    },
  });
}
