import { anyCharacter } from '../../core/text/literal-prefix-index.js';
import { looksRandom } from '../../core/text/looks-random.js';
import { formRule } from './rule.js';
import { isHarmlessValue, isPlaceholder } from './secret-value.js';

/** Placeholders for the password if the user name is the token. */
const constant = /^(?:x-oauth-basic|x-access-token|oauth2?|api[-_]?(?:key|token)|token|unused|ignored|any|x|_|)$/i;
/** Passwords that only occur in examples. */
const exampleWord = /^(?:.{0,3}|[A-Za-z]{4,5})$/;

/**
 * Finds the password in `scheme://user:password@host` (RFC 3986, userinfo), unless it is a reference or an example.
 * User and host stay visible. If the password is empty or a constant, the user is the token. An unescaped `@` belongs
 * to the password, unless a host with a dot or a port follows this `@`.
 */
export const urlPasswordRule = formRule(
  { heads: ['://'], next: anyCharacter },
  /:\/\/[^\s:/?#@"'<>`]{0,128}:[^\s/?#@"'<>`]{0,256}(?:@[^\s/?#@"'<>`.:,;=]{1,64}){0,3}@/y,
  ({ text, start, end }) => {
    const colon = text.indexOf(':', start + 3);
    const user = text.slice(start + 3, colon);
    const isToken = constant.test(text.slice(colon + 1, end - 1)) && user.length >= 16 && /\d/.test(user);
    if (isToken && !isHarmlessValue(user)) return { kind: 'url-password', start: start + 3, end: colon };
    return end - 1 > colon + 1 ? passwordAt(text, colon + 1, end - 1) : undefined;
  },
);

/**
 * Finds a token before the host of a URL, if it looks random, or is long and mixes letters and digits. The public key
 * of 32 hexadecimal digits in Sentry URLs stays visible.
 */
export const urlTokenRule = formRule(
  { heads: ['://'], next: anyCharacter },
  /:\/\/[A-Za-z0-9_-]{8,256}@/y,
  ({ text, start, end }) => {
    const token = text.slice(start + 3, end - 1);
    if (/^[0-9a-f]{32}$/.test(token) || !(looksRandom(token) || isMixed(token))) return undefined;
    return { kind: 'url-password', start: start + 3, end: end - 1 };
  },
);

/** Finds the password in an Oracle URL: `jdbc:oracle:thin:user/password@host`. */
export const oracleRule = formRule(
  { heads: ['jdbc:oracle:'] },
  /jdbc:oracle:[a-z0-9]{1,8}:[^\s/@"'<>]{1,64}\/[^\s/@"'<>]{1,128}@/y,
  ({ text, start, end }) => passwordAt(text, text.indexOf('/', start) + 1, end - 1),
);

function isMixed(token: string): boolean {
  return /^(?=.*[A-Za-z])(?=.*\d)[A-Za-z\d]{16,}$/.test(token);
}

function passwordAt(text: string, start: number, end: number) {
  const password = text.slice(start, end);
  const isHarmless =
    constant.test(password) ||
    exampleWord.test(password) ||
    isHarmlessValue(password) ||
    (isPlaceholder(password) && !looksRandom(password));
  return isHarmless ? undefined : ({ kind: 'url-password', start, end } as const);
}
