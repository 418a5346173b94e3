import { endOfRun } from './rule.js';
import { isSecretValue, type SecretStyle, type ValueSetting } from './secret-value.js';

/** The maximum length of a quoted value; a longer value is read as unquoted. */
const maxQuotedChars = 1024;
/** The number of characters of an unquoted value that are checked; the verdict applies to the whole value. */
const maxRunChars = 256;

/** The checked part of a value. */
export interface AssignedValue {
  readonly start: number;
  readonly end: number;
  readonly setting: ValueSetting;
  /** Finds the end of a value that continues after `end`. */
  readonly stop?: RegExp;
}

/**
 * The syntax of an unquoted value: `code` is an expression, `literal` a word of a shell command or a `.env` file. The
 * others are parts of a query string, a header or an XML element.
 */
type RunKind = keyof typeof runs;

/** A colour ends a value, and so does the NUL that ends a C string. Other control characters do not. */
const ends = String.raw`\s\0\x1b\x9b`;
export const lineEnds = String.raw`\n\0\x1b\x9b`;
const run = (signs: string, next = '') => ({
  form: new RegExp(`[^${ends}${signs}]{1,256}${next}`, 'y'),
  stop: new RegExp(`[${ends}${signs}]`, 'g'),
});
const codeSigns = String.raw`"'\x60,;(){}[\]<>|&\\`;
const pair = String.raw`[\w.-]{1,64}=`;
const literal = String.raw`[^${ends}"'\x60<>;=\\&|,]|\\[;&|<>]|\\(?![nrt"])|[&|,](?!${pair})`;

const runs = {
  code: {
    ...run(codeSigns),
    form: new RegExp(`(?:[^${ends}${codeSigns}=]|&(?!&|${pair})){1,256}(?:={1,3}(?![\\w=]))?`, 'y'),
  },
  literal: {
    form: new RegExp(`(?:${literal}){1,256}(?:=+(?:${literal}){0,256})?`, 'y'),
    stop: new RegExp(String.raw`[${ends}"'\x60]|(?<!\\)[<>;]|\\[nrt"]|[&|,]${pair}`, 'g'),
  },
  query: run(String.raw`"'\x60<>&#;\\()\[\]`),
  header: run(String.raw`"'\x60,;\\`),
  element: {
    form: new RegExp(`[^<>${lineEnds}]{1,1024}(?=</)`, 'y'),
    stop: new RegExp(`[<>${lineEnds}]`, 'g'),
  },
} as const;

/**
 * Reads the unquoted value at `start`. Returns undefined for a call, for an index, and if an escape other than a line
 * break follows.
 */
export function readRun(text: string, start: number, kind: RunKind): AssignedValue | undefined {
  const { form, stop } = runs[kind];
  form.lastIndex = start;
  if (!form.test(text)) return undefined;
  const end = form.lastIndex;
  const next = text[end];
  if (kind === 'code' && /^(?:[([{]|\\(?!\\{0,3}[nrt]))/.test(text.slice(end, end + 5))) return undefined;
  const setting = kind === 'code' ? 'code' : 'literal';
  if (end - start >= maxRunChars || next === '=') return { start, end, setting, stop };
  return { start, end: kind === 'code' ? endWithout('.:?', text, start, end) : end, setting };
}

/** The end of a value after its trailing `signs` are removed. */
function endWithout(signs: string, text: string, start: number, end: number): number {
  let last = end;
  while (last > start && signs.includes(text[last - 1] ?? ' ')) last--;
  return last;
}

const opening = /(?:[bBrRuUfF]{1,2}|[@$N])?\\{0,3}("{3}|'{3}|["'`])/y;

/**
 * Reads the quoted value at `at`, in plain or escaped quotes; a value whose quote does not close on its line is read as
 * unquoted.
 */
export function readQuoted(text: string, at: number): AssignedValue | undefined {
  opening.lastIndex = at;
  const [, quote = ''] = opening.exec(text) ?? [];
  if (quote === '') return undefined;
  const start = opening.lastIndex;
  const isEscaped = text[start - 2] === '\\';
  const limit = Math.min(text.length, start + maxQuotedChars);
  for (let index = start; index < limit; index++) {
    const character = text[index];
    if (character === '\n') break;
    // YAML and SQL escape a quote by doubling it.
    if (quote === "'" && !isEscaped && index > start && text.startsWith("''", index)) index++;
    else if (text.startsWith(quote, index))
      return { start, end: isEscaped ? endWithout('\\', text, start, index) : index, setting: 'quoted' };
    if (character === '\\' && !isEscaped && text[index + 1] !== '\n') index++;
  }
  return readRun(text, start, 'code');
}

/** A copy of the value with the given setting. */
export function withSetting(setting: ValueSetting, value: AssignedValue | undefined): AssignedValue | undefined {
  return value && { ...value, setting };
}

/** The finding for a value of the given style, if the value is a secret. */
export function secretIn(text: string, value: AssignedValue | undefined, style: SecretStyle) {
  if (value === undefined || !isSecretValue(text.slice(value.start, value.end), style, value.setting)) return undefined;
  const { start, end, stop } = value;
  return { kind: 'assignment', start, end: stop === undefined ? end : endOfRun(text, end, stop) } as const;
}

const authScheme = /[A-Za-z][A-Za-z-]{2,16}[ \t]{1,4}(?=\S)/y;
const usualScheme = /^(?:basic|bearer)$/i;
const headerScheme =
  /^(?:basic|bearer|digest|token|api-?key|key|negotiate|oauth|hmac|dpop|ssws|splunk|geniekey|bot|jwt|hawk|ntlm|aws4-hmac-sha256)$/i;

/**
 * Reads the credentials after the scheme of an `Authorization` header (RFC 9110), or after a common scheme in any
 * string. Returns undefined if there is no scheme.
 */
export function readScheme(text: string, at: number, isHeader: boolean): AssignedValue | undefined {
  authScheme.lastIndex = at;
  const scheme = authScheme.test(text) ? text.slice(at, authScheme.lastIndex).trim() : '';
  if (!(isHeader ? headerScheme : usualScheme).test(scheme)) return undefined;
  return withSetting('quoted', readRun(text, authScheme.lastIndex, 'header'));
}
