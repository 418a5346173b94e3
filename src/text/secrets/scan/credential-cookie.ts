import type { CredentialFinding } from './credential-span.js';
import { looksRandom } from './secret-randomness.js';
import { isHarmlessValue, isPlaceholder } from './secret-value.js';

/** The start of a `Cookie` or `Set-Cookie` header (RFC 6265), or of the option of curl that sends one. */
export const cookieHeader = /(?:cookie["']?:[ \t]{0,4}|(?<=--)cookie[ =]|(?<=[ \t])-b[ =]?(?=["']))["']?/iy;

const maxValueChars = 1024;
const pairForm = /([^\s;,="'`\\[\]]{1,64})=([^\s;,"'`\\]{1,1024})/y;
const restForm = /[^\s;,"'`\\]{0,1024}[ \t;,\\\r]{0,16}/y;
const valueStop = /[\s;,"'`\\]/g;
const plainCookie = /^(?:path|domain|expires|max-age|samesite|_ga.*|_gid)$/i;
const sensitiveCookie = /sess|sid|auth|token|jwt|csrf|xsrf|remember|secret|key/i;

/** A cookie header withholds nothing itself, but the pairs behind it are judged one by one. */
export function findCookieHeader(_text: string, _start: number, end: number): CredentialFinding {
  return { kind: 'cookie', start: end, end, opens: 'cookies' };
}

/** A part of a cookie header: up to where it reaches, and its value where that is a session or a token. */
export interface CookiePart {
  readonly end: number;
  readonly secret?: CredentialFinding;
}

/** Reads the part of a cookie header at `start`; `undefined` where the header has ended, at a quote or a line break. */
export function readCookiePart(text: string, start: number): CookiePart | undefined {
  pairForm.lastIndex = start;
  const pair = pairForm.exec(text);
  if (pair === null) return readRest(text, start);
  const [whole, name = '', value = ''] = pair;
  const end = start + whole.length;
  if (!isCookieSecret(name, value)) return { end };
  const isCut = value.length === maxValueChars;
  return {
    end,
    secret: {
      kind: 'cookie',
      start: end - value.length,
      end,
      ...(isCut && { tail: { stop: valueStop, hold: 0 } }),
      opens: 'cookies',
    },
  };
}

function readRest(text: string, start: number): CookiePart | undefined {
  restForm.lastIndex = start;
  const end = start + (restForm.exec(text)?.[0].length ?? 0);
  return end > start ? { end } : undefined;
}

function isCookieSecret(name: string, value: string): boolean {
  if (plainCookie.test(name) || isHarmlessValue(value)) return false;
  return (
    looksRandom(value) ||
    (sensitiveCookie.test(name) && value.length >= 8 && /\d|[a-z][A-Z]/.test(value) && !isPlaceholder(value))
  );
}
