import { isSameSecret } from '../core/support/same-secret.js';
import type { AdminIdentity } from './admin-api.js';

/**
 * Accepts the tokens in a text. Each line has a token, its name and its scopes, separated by spaces. Without a name,
 * the token is named `admin`; without scopes, it has every scope. Lines that begin with `#` are comments. Compares in
 * constant time. Throws a TypeError for a token of less than 16 characters, and for a text without tokens.
 */
export function bearerTokens(text: string): (token: string) => AdminIdentity | undefined {
  const known = text.split('\n').flatMap((line) => {
    const [token = '', name = 'admin', ...scopes] = line.trim().split(/\s+/);
    if (token === '' || token.startsWith('#')) return [];
    if (token.length < 16) throw new TypeError('bearerTokens: a token has at least 16 characters; write a longer one');
    return { token, identity: { name, scopes: scopes.length === 0 ? ['*'] : scopes } };
  });
  if (known.length === 0) throw new TypeError('bearerTokens: the list has no token; write one token on each line');
  // Compares with every token, so that the time does not depend on which token matches.
  return (given) => known.filter(({ token }) => isSameSecret(given, token))[0]?.identity;
}
