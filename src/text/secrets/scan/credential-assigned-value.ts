import { looksRandom } from './secret-randomness.js';
import type { ValueSetting } from './secret-value.js';

/** The longest quoted value that is judged; a longer one counts as unquoted. */
const maxQuotedChars = 1024;
/** How much of an unquoted value is judged; the rest of its run follows the verdict. */
const maxRunChars = 256;

/** A value, as far as it is judged. */
export interface AssignedValue {
  readonly start: number;
  readonly end: number;
  readonly setting: ValueSetting;
  /** Finds the end of a value that goes on behind `end`. */
  readonly stop?: RegExp;
}

/**
 * What an unquoted value may consist of: an expression of code, a word of a shell or a `.env` file, a part of a query,
 * of a header, of an XML element.
 */
export type RunKind = keyof typeof runs;

/** What starts a colour ends a value; of other control characters nobody knows what they are there for. */
const colourStart = String.raw`\x1b\x9b`;
const form = (pattern: string) => new RegExp(pattern.replaceAll('COLOUR', colourStart), 'y');
const stop = (characters: string) => new RegExp(`[${characters}${colourStart}]`, 'g');

const runs = {
  code: {
    form: form(String.raw`(?:[^\sCOLOUR"'\x60,;(){}[\]<>|&\\=]|&(?!&|[\w.-]{0,64}=)){1,256}(?:={1,3}(?![\w=]))?`),
    stop: stop(String.raw`\s"'\x60,;(){}[\]<>|&\\`),
  },
  literal: {
    form: form(String.raw`[^\sCOLOUR"'\x60<>;=]{1,256}(?:=+[^\sCOLOUR"'\x60<>;=]{0,256})?`),
    stop: stop(String.raw`\s"'\x60<>;`),
  },
  query: { form: form(String.raw`[^\sCOLOUR"'\x60<>&#;\\]{1,256}`), stop: stop(String.raw`\s"'\x60<>&#;\\`) },
  header: { form: form(String.raw`[^\sCOLOUR"'\x60,;\\]{1,256}`), stop: stop(String.raw`\s"'\x60,;\\`) },
  element: { form: form(String.raw`[^<>\sCOLOUR]{1,256}(?=<\/)`), stop: stop(String.raw`<>\s`) },
} as const;

/** Reads the unquoted value at `start`; no value is a call, an index, or what goes on with an escape. */
export function readRun(text: string, start: number, kind: RunKind): AssignedValue | undefined {
  const { form, stop } = runs[kind];
  form.lastIndex = start;
  if (!form.test(text)) return undefined;
  const end = form.lastIndex;
  const next = text[end];
  if (kind === 'code' && (next === '(' || next === '[' || next === '{' || next === '\\')) return undefined;
  const setting = kind === 'code' ? 'code' : 'literal';
  if (end - start >= maxRunChars || next === '=') return { start, end, setting, stop };
  return { start, end: kind === 'code' ? endWithout('.:?', text, start, end) : end, setting };
}

/** Where a value ends without the given signs behind it. */
function endWithout(signs: string, text: string, start: number, end: number): number {
  let last = end;
  while (last > start && signs.includes(text[last - 1] ?? ' ')) last--;
  return last;
}

const opening = /(?:[bBrRuUfF]{1,2}|[@$])?\\{0,3}["'`]/y;

/** Reads the quoted value at `at`, in plain or escaped quotes; one without an end on its line is read as unquoted. */
export function readQuoted(text: string, at: number): AssignedValue | undefined {
  opening.lastIndex = at;
  if (!opening.test(text)) return undefined;
  const start = opening.lastIndex;
  const quote = text[start - 1];
  const isEscaped = text[start - 2] === '\\';
  const limit = Math.min(text.length, start + maxQuotedChars);
  for (let index = start; index < limit; index++) {
    const character = text[index];
    if (character === '\n') break;
    if (character === quote)
      return { start, end: isEscaped ? endWithout('\\', text, start, index) : index, setting: 'quoted' };
    if (character === '\\' && !isEscaped && text[index + 1] !== '\n') index++;
  }
  return readRun(text, start, 'code');
}

const authScheme = /[A-Za-z][A-Za-z-]{2,16}[ \t]{1,4}(?=\S)/y;

/**
 * Reads the value of an `Authorization` header: what follows the scheme, or the first word where there is none (RFC
 * 9110, section 11).
 */
export function readAuthorization(text: string, at: number): AssignedValue | undefined {
  const start = readQuoted(text, at)?.start ?? at;
  authScheme.lastIndex = start;
  const hasScheme = authScheme.test(text) && !looksRandom(text.slice(start, authScheme.lastIndex).trim());
  const value = readRun(text, hasScheme ? authScheme.lastIndex : start, 'header');
  return value && { ...value, setting: hasScheme ? 'literal' : 'code' };
}
