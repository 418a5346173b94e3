import { looksRandom } from '../../core/text/looks-random.js';
import { type CredentialPart, endOfRun, formRule } from './rule.js';
import { isHarmlessValue, isPlaceholder } from './secret-value.js';

const maxValueChars = 1024;
const pairForm = /([^\s;,="'`\\[\]]{1,64})=([^\s;,"'`\\]{1,1024})/y;
const restForm = /[^\s;,"'`\\]{0,1024}[ \t;,\\\r]{0,16}/y;
const stop = /[\s;,"'`\\]/g;
const plainCookie = /^(?:path|domain|expires|max-age|samesite|_ga.*|_gid)$/i;
const sensitiveCookie = /sess|sid|auth|token|jwt|csrf|xsrf|remember|secret|key/i;

/**
 * Finds a `Cookie` or `Set-Cookie` header (RFC 6265), or the option of curl that sends cookies. The rule itself hides
 * nothing; each pair of the header is checked.
 */
export const cookieRule = formRule(
  { heads: ['cookie', '-b "', "-b '"], anyCase: true },
  /(?:cookie["']?:[ \t]{0,4}|(?<=--)cookie[ =]|(?<=[ \t])-b[ =]?(?=["']))["']?/iy,
  ({ end }) => ({ kind: 'cookie', start: end, end, opens: readPair }),
);

/** Reads one pair, or the text between two pairs; the header ends at a quote or a line break. */
function readPair(text: string, start: number): CredentialPart | undefined {
  pairForm.lastIndex = start;
  const [whole, name = '', value = ''] = pairForm.exec(text) ?? [];
  if (whole === undefined) {
    restForm.lastIndex = start;
    const end = start + (restForm.exec(text)?.[0].length ?? 0);
    return end > start ? { end } : undefined;
  }
  const end = start + whole.length;
  if (!isCookieSecret(name, value)) return { end };
  const last = value.length === maxValueChars ? endOfRun(text, end, stop) : end;
  return { end: last, secret: { kind: 'cookie', start: end - value.length, end: last } };
}

function isCookieSecret(name: string, value: string): boolean {
  if (plainCookie.test(name) || isHarmlessValue(value)) return false;
  return (
    looksRandom(value) ||
    (sensitiveCookie.test(name) && value.length >= 8 && /\d|[a-z][A-Z]/.test(value) && !isPlaceholder(value))
  );
}
