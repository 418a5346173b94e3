import { countOf, looksRandom } from './secret-randomness.js';

/**
 * Where a value stands: `literal` can be nothing but data, `quoted` is a string of code or data, `code` may be an
 * expression, `prose` is a sentence.
 */
export type ValueSetting = 'literal' | 'quoted' | 'code' | 'prose';

/** What a name promises: a `password` is chosen by people, a `token` is made by machines. */
export type SecretStyle = 'password' | 'token';

const minPasswordLength = 6;
const minTokenLength = 8;
/** Salts of WordPress and the like may hold blanks. */
const minSaltChars = 32;
/** A word of a phrase that no sentence has. */
const passwordWord = /(?<!\S)(?=\S*(?:[A-Za-z]\d|\d[A-Za-z]))\S*[!@#$%^&*]/;

const template =
  /abcdefghijklm|ABCDEFGHIJKLM|\\[wdsbWDSB]|\[\^|\$[({]|\{\{|\}\}|<%|#\{|%\{|\{[A-Za-z_][\w.]*\}|%\(\w+\)s/;
const wholeReference =
  /^(?:\$[A-Za-z_]\w*|\$env:\w+|%\w+%|<[^>]*>?|[[(].*[\])]|(?:op|vault|ref\+\w+|keyring|secretref|file|env):\S*|arn:\S+|[\w+.-]+:\/\/\S*|ENC\[.*)$/i;
/** In code and in YAML also a symbol, a tag, an anchor, a file or a member. */
const codeReference =
  /^(?::\w+|[!&*]\w+|@[\w./]+|(?:[A-Za-z_$]{1,32}|[a-z]{1,6}\d{1,2}[a-z]{0,2})(?:\.(?:[A-Za-z_$]{1,32}|[a-z]{1,6}\d{1,2}[a-z]{0,2}))+)$/;
const plainData =
  /^(?:[\^~<>=v]*\d+(?:\.[\dx*]+)+(?:[-+][\w.]+)?|[+-]?[\d_,.]*(?:ms|[smhdkMGT]?[bB]?|px|r?em|%)|0x[\da-f]{1,8}[ul]{0,3}|\d{4}-\d\d-\d\d(?:[T ][\d:.,]*(?:Z|[+-][\d:]+)?)?|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|sha\d{1,3}[:-]\S+|[\w/@.-]*[\w-]\.(?:json|ya?ml|toml|txt|pem|key|crt|[cm]?[jt]sx?|py|rb|go|rs|md|html?|xml|env|cfg|ini|conf|sh))$/i;
const placeholder =
  /^(?:(.)\1*|[x*.•·_#-]+)$|your|change.?me|replace|placeholder|example|redacted|insert|dummy|sample|todo|x{4}|\*{3}|\.{3}|…|•/i;
const sensitiveWord =
  /pass(?:word|wd|phrase|code)?|pwd|secret|token|credential|auth|bearer|api.?key|private.?key|access.?key/i;
/** Words that stand in place of values. */
export const dictionary =
  /^(?:true|false|null|nil|none|undefined|string|number|boolean|object|unknown|never|any|void|str|bytes|bool|int|text|varchar|required|optional|invalid|missing|hidden|disabled|enabled|default|public|private|protected|readonly|inherit|include|same-origin|omit|empty|value|input|param(?:eter)?s?|anonymous|localhost|postgres|mysql|redis|guest|admin|administrator|username|user|login|expired|unset|not-set|redacted|masked|unauthorized|forbidden|pass(?:word|wd)|secret|development|production|staging|testing|postgresql|database)$/i;

/** Rules for what a value must be, such as `required|min:8`. */
const validationRules =
  /^(?=(?:[^|]*\|)*(?:required|nullable|sometimes|string|confirmed|(?:min|max|size):\d+)(?:\||$))[a-z_]+(?::[^|\s]*)?(?:\|[a-z_]+(?::[^|\s]*)?)+$/;

/**
 * Whether a value already is a marker, points at something else, or is data of a plain sort (number, version, date,
 * path).
 */
export function isHarmlessValue(value: string): boolean {
  if (value.includes('[REDACTED') || template.test(value)) return true;
  return wholeReference.test(value) || validationRules.test(value) || plainData.test(value) || isWordyPath(value);
}

function isWordyPath(value: string): boolean {
  if (/^[A-Za-z]:\\/.test(value)) return true;
  if (!/^(?:~|\.{1,2})?\/[\w./@+-]*$/.test(value)) return false;
  return !value.split('/').some(looksRandom);
}

/** Whether a person would read the value as words standing for a secret: `your-key`, `xxxx`, `changeme`. */
export function isPlaceholder(value: string): boolean {
  return placeholder.test(value) || dictionary.test(value);
}

/**
 * Decides whether the value of a sensitive name is a secret itself, and not code, a reference, plain data or a
 * placeholder.
 */
export function isSecretValue(value: string, style: SecretStyle, setting: ValueSetting): boolean {
  if (value.length < (style === 'password' ? minPasswordLength : minTokenLength)) return false;
  if (!isLikely(value, style, setting) || (setting === 'code' && codeReference.test(value))) return false;
  return !isHarmlessValue(value) || (style === 'password' && setting === 'literal' && /^\d{6,}$/.test(value));
}

function isLikely(value: string, style: SecretStyle, setting: ValueSetting): boolean {
  if (/\s/.test(value)) return (style === 'password' || value.length >= minSaltChars) && passwordWord.test(value);
  if (looksRandom(value)) return true;
  if (setting === 'prose' || (setting === 'code' && /^[A-Za-z_.]*$/.test(value)) || isPlaceholder(value)) return false;
  return style === 'password' ? looksChosen(value, setting) : looksIssued(value, setting);
}

function looksChosen(value: string, setting: ValueSetting): boolean {
  const digits = countOf(value, /\d/g);
  const mixed = digits > 0 && /[A-Za-z]/.test(value);
  const symbols = /[!@#$%^&*+=~?]/.test(value);
  if (sensitiveWord.test(value)) return setting !== 'code' && mixed && (digits >= 2 || symbols);
  if (mixed) return setting !== 'code' || symbols || /^[A-Za-z]+\d+$/.test(value) || isMixedWord(value);
  return setting === 'literal' || /^[a-z]+(?:-[a-z]+){3,}$/i.test(value);
}

/** Letters, two digits or more, and letters again, which is no name of an algorithm or a type. */
function isMixedWord(value: string): boolean {
  if (!/^(?=.{10})[A-Za-z]+\d{2,}[A-Za-z]+\d*$/.test(value)) return false;
  return !/(?:sha|md|base|utf|int|float|aes|rsa|hmac|ed|curve|secp|x)\d/i.test(value);
}

function looksIssued(value: string, setting: ValueSetting): boolean {
  const isPhrase = setting === 'literal' && value.length >= 16 && countOf(value, /\d/g) >= 4;
  if ((sensitiveWord.test(value) && !isPhrase) || !/^[A-Za-z0-9+/=_.~-]+$/.test(value)) return false;
  const mixed = countOf(value, /\d/g) >= 2 && /[A-Za-z]/.test(value);
  if (setting === 'literal') return mixed || value.length >= 20;
  return setting === 'quoted' && mixed && /^[A-Za-z0-9]+$/.test(value);
}
