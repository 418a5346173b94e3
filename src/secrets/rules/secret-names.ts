import type { SecretStyle } from './secret-value.js';

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

const passwords = setOf('password passwd passcode pwd pass psk');
const tokens = setOf('secret token apikey bearer authorization');
/** Words that announce a secret only if the value looks random. */
const hints = setOf('key credential credentials auth jwt signature sig');
const keyOwners = setOf(
  `api access secret private encryption signing master account shared service auth license subscription storage
  deploy app application client webhook admin session jwt hmac aes cipher crypt consumer integration write functions
  function cosmos preshared stripe openai anthropic gemini cohere mistral groq replicate sendgrid mailgun twilio
  algolia datadog newrelic pinecone supabase firebase rapidapi github gitlab azure aws gcp google salt`,
);
const attributes = setOf(
  `address addresses contract symbol decimals supply balance amount count length len limit max min size type types
  name names id ids url urls uri path paths file files filename dir directory endpoint expiry expires expiration
  expire expired ttl timeout lifetime age duration hint policy reset strength enabled disabled required optional
  regex pattern label placeholder input field fields form prompt error errors message messages index usage used
  budget header headers algorithm alg version created updated at on by format prefix suffix provider source store
  storage manager service ref refs reference class icon title description desc help validator validation rotation
  scope scopes issuer audience kind status state position start end line column window per rate cost price estimate
  map list set visible match matches bucket counter cache sock socket method mode arn env var variable selector
  option options config callback handler fn func function parser stream cookie param params template schema model
  stdin stdout prompt encoding encoder decoder`,
);
/** Words after which `pat` means a personal access token; after other words `pat` means pattern. */
const patOwners = setOf('github gh git gitlab azure ado devops ext access personal');
/** Words that announce a secret only at the end of a name. */
const mustEnd = setOf('pass psk pat');
const harmlessOwners = setOf(
  `public page next continuation cursor pagination sync resume bos eos pad unk cls sep mask special cancellation
  cancel abort design syntax lexer lex ast punctuation primary foreign partition sort max min num total prompt
  completion input output idempotency change delta progress keyboard`,
);
const endings = setOf('password passwd pwd secret token apikey accesskey secretkey privatekey bearer authorization');
const maxWords = 6;
/** A cache of verdicts, because names recur. */
const remembered = new Map<string, SecretStyle | undefined>();

/**
 * The style of secret that a name announces; `undefined` if the name only describes a secret (`max_tokens`,
 * `tokenType`, `secretName`, `nextPageToken`).
 */
export function secretStyleOf(name: string): SecretStyle | undefined {
  if (remembered.size === 256) remembered.clear();
  if (!remembered.has(name)) remembered.set(name, styleOf(name));
  return remembered.get(name);
}

function styleOf(name: string): SecretStyle | undefined {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)?.map((word) => word.toLowerCase()) ?? [];
  const last = words.at(-1);
  if (last === undefined || attributes.has(last) || words.some((word) => harmlessOwners.has(word))) return undefined;
  // A longer name is usually the key of a message text.
  if (words.length > maxWords) return undefined;
  for (let index = words.length - 1; index >= 0; index--) {
    const word = words[index] ?? '';
    const style = mustEnd.has(word) && index < words.length - 1 ? undefined : styleOfWord(word, words[index - 1]);
    // Before another word, `token` and similar words describe something else (`tokenChars`), except in variables such
    // as `API_TOKEN_PROD`.
    if (style !== undefined) return style === 'token' && index < words.length - 1 && /[a-z]/.test(name) ? 'key' : style;
  }
  // Irregular capitals, as in `pASSWORD`, do not separate words; an underscore does.
  const folded = name.toLowerCase().split(/[^a-z]+/);
  const end = folded.at(-1) ?? '';
  return (
    (end === 'key' || end.length > 4 ? styleOfWord(end, folded.at(-2)) : undefined) ??
    (words.some((word) => hints.has(word) || /key$/.test(word)) ? 'key' : undefined)
  );
}

function styleOfWord(word: string, before: string | undefined): SecretStyle | undefined {
  if (word.endsWith('passphrase')) return 'phrase';
  if (passwords.has(word)) return 'password';
  if (tokens.has(word) || (word === 'pat' && before !== undefined && patOwners.has(before))) return 'token';
  if (word === 'key') return before !== undefined && keyOwners.has(before) ? 'token' : undefined;
  for (const ending of endings) {
    if (word.endsWith(ending)) return ending.startsWith('pass') || ending === 'pwd' ? 'password' : 'token';
  }
  return undefined;
}
