import { countOf, looksRandom } from '../../core/text/looks-random.js';

/**
 * The context of a value. `literal` is data that no program computes, `quoted` is a string in code or data, `code` may
 * be an expression, and `prose` is a sentence.
 */
export type ValueSetting = 'literal' | 'quoted' | 'code' | 'prose';

/**
 * The kind of secret that a name announces. A `password` is chosen by people, a `phrase` has several words, and a
 * `token` is generated. A `key` may be the key of a map, so only a random value is a secret.
 */
export type SecretStyle = 'password' | 'phrase' | 'token' | 'key';

/** The minimum length of a value that is recognised by its form alone. */
const minChars = { password: 6, phrase: 6, token: 8, key: 16 } as const;
/** The minimum length of a string in code; a shorter string may be a token of a grammar. */
const minQuotedChars = { password: 1, phrase: 1, token: 3, key: 16 } as const;
/** A word that occurs in pass phrases and not in sentences. */
const passwordWord = /(?<!\S)(?=\S*(?:[A-Za-z]\d|\d[A-Za-z]))\S*[!@#$%^&*]/;

const template =
  /abcdefghijklm|ABCDEFGHIJKLM|a-z|A-Z|\\(?:[wdsbWDSB]|x[\da-f]{2})|\[\^|\$[({]|\{\{|\}\}|<%|#\{|%\{|\{[A-Za-z_][\w.]*\}|%\(\w+\)s/;
const wholeReference =
  /^(?:\$[A-Za-z_]\w*|\$\d|\$env:\w+|%\w+%|%[sdv](?:\W%[sdv])*|:[a-z_]\w*|\?[a-z]*|\{\}|<[^>]*>?|[[(].*[\])]|\[*(?:String|ID|Int|Float|Boolean)!?\]*!|(?:op|vault|ref\+\w+|keyring|secretref|file|env):\S*|(?:arn|urn):\S+|[\w+.-]+:\/\/\S*|\/\^.*|[<>^~=]+\s?\d.*|ENC\[.*)$/i;
/** The references that only occur in code and YAML: a symbol, a tag, an anchor, a file or a member. */
const codeReference =
  /^(?::\w+|[!&*]\w+|@[\w./]+|(?:self|this)\..*|(?:[A-Za-z_$]{1,32}|[a-z]{1,6}\d{1,2}[a-z]{0,2})(?:\??\.(?:[A-Za-z_$]{1,32}|[a-z]{1,6}\d{1,2}[a-z]{0,2}))+)$/;
const plainData =
  /^(?:[\^~<>=v]*\d+(?:\.[\dx*]+)+(?:[-+][\w.]+)?|[+-]?[\d_,.]*(?:ms|[smhdkMGT]?[bB]?|px|r?em|%)|0x[\da-f]{1,8}[ul]{0,3}|\d{4}-\d\d-\d\d(?:[T ][\d:.,]*(?:Z|[+-][\d:]+)?)?|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|sha\d{1,3}[:-]\S+)$/i;
const fileName =
  /^(?:[\w/@.-]*[\w-]\.(?:json|ya?ml|toml|txt|pem|key|crt|[cm]?[jt]sx?|py|rb|go|rs|md|html?|xml|env|cfg|ini|conf|sh))$/i;
/** Words that describe a value or are too common to be a secret. */
export const dictionary =
  /^(?:true|false|null|nil|none|undefined|string|number|boolean|object|unknown|never|any|void|str|bytes|bool|int|text|varchar|required|optional|invalid|missing|hidden|disabled|enabled|default|public|private|protected|readonly|inherit|include|same-origin|omit|empty|value|input|param(?:eter)?s?|anonymous|localhost|postgres|mysql|redis|guest|admin|administrator|username|user|login|expired|unset|not-set|redacted|masked|unauthorized|forbidden|pass(?:word|wd)|secret|development|production|staging|testing|postgresql|database)$/i;
/** Common words that nobody uses as a password. */
const constant =
  /^(?:true|false|null|nil|none|undefined|string|number|boolean|object|unknown|never|any|void|str|bytes|bool|int|text|varchar|required|optional|invalid|missing|hidden|disabled|enabled|default|inherit|omit|empty|value|flags?|options?|read|write|expired|unset|not-set|redacted|masked|bearer|basic)$/i;
const filler = /^(?:(.)\1{2,}|[x*.•·_#-]{2,}|[^A-Za-z\d]{0,2})$|x{4}|\*{3}|\.{3}|…|•/i;
/** Words that ask for a value, and words that may accompany them. */
const asking =
  /^(?:your|change|changeme|changeit|replace|replaceme|placeholder|example|redacted|insert|dummy|sample|todo|fixme)$/i;
const beside =
  /^(?:me|it|this|my|the|an?|in|of|with|here|please|now|real|own|to|for|and|or|id|name|value|string|user|account|client|app|access|auth|api|key|keys|private|refresh|secret|secrets|token|tokens|pass(?:word|wd|phrase|code)?|pwd|credentials?|bearer|authorization|openai|anthropic|github|[a-z]{1,2})$/i;
/** Words in names such as `access_token` and `X-Api-Key`. */
const naming =
  /^(?:api|key|keys|access|refresh|id|auth|oauth|csrf|xsrf|jwt|client|user|my|new|old|current|confirm|the|x|name|type|field|input|private|secrets?|tokens?|pass(?:word|wd|phrase|code)?|pwd|credentials?|bearer|basic|digest|authorization|authentication|required|missing|invalid|error|expired|passed)$/i;
/** A word that occurs in sentences and rarely in pass phrases. */
const sentenceWord =
  /(?:^|\s)(?:the|a|an|of|is|are|was|be|to|for|from|with|your|you|not|no|must|at|by|and|or|if|this|that|it|in|on|as|has|can|will|should|when|used?|enter)(?=\s|$)|[.?!:…。]$|[,;]\s/i;
const explaining =
  /\b(?:must|should|can|will|your?|used?|enter|for|to|with|when|if|as|at|phrase|keys?|string|text|optional|required)\b/;
const sensitiveWord = /pass(?:word|wd|phrase|code)|secret|token|credential|auth(?!or)|bearer|api.?key/i;
const operators = /(?:^|\s)(?:await|new|not|typeof|yield|if|else|in|is|and|or|as|[-+*/%|&=<>!?:]+)(?=\s|$)/;

/** Validation rules, such as `required|min:8`. */
const validationRules =
  /^(?=(?:[^|]*\|)*(?:required|nullable|sometimes|string|confirmed|(?:min|max|size):\d+)(?:\||$))[a-z_]+(?::[^|\s]*)?(?:\|[a-z_]+(?::[^|\s]*)?)+$/;

/** Whether a value is a mark, a reference to something else, or plain data (a number, version or date). */
export function isHarmlessValue(value: string): boolean {
  return isReference(value) || plainData.test(value);
}

function isReference(value: string): boolean {
  if (value.includes('[REDACTED') || template.test(value)) return true;
  return wholeReference.test(value) || validationRules.test(value) || fileName.test(value) || isWordyPath(value);
}

function isWordyPath(value: string): boolean {
  if (/^[A-Za-z]:\\/.test(value)) return true;
  if (!/^(?:~|\.{1,2})?\/[\w./@+-]*$/.test(value)) return false;
  return !value.split('/').some(looksRandom);
}

/** Whether a value is a placeholder for a secret: `your-key`, `xxxx`, `changeme`. */
export function isPlaceholder(value: string): boolean {
  return filler.test(value) || dictionary.test(value) || asksForValue(value);
}

function asksForValue(value: string): boolean {
  const words = wordsOf(value);
  return words.some((word) => asking.test(word)) && words.every((word) => asking.test(word) || beside.test(word));
}

/** The words of a value, split at signs and capitals. Each run of digits is a word of its own. */
function wordsOf(value: string): readonly string[] {
  return value.slice(0, 128).match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
}

/**
 * Whether the value of a sensitive name is a secret. In data, every value is a secret, except references and
 * placeholders. In a string, names and sentences are exceptions too. Elsewhere the value must look like a secret.
 */
export function isSecretValue(value: string, style: SecretStyle, setting: ValueSetting): boolean {
  const text = value.trim();
  if (/^\d{4,}$/.test(text) && style !== 'key' && (setting === 'literal' || setting === 'quoted')) return true;
  const isChosen = setting === 'literal' && (style === 'token' ? /^\d+$/.test(text) : style !== 'key');
  if (
    isReference(text) ||
    (plainData.test(text) && !isChosen) ||
    filler.test(text) ||
    constant.test(text) ||
    asksForValue(text)
  )
    return false;
  if (style === 'key' || setting === 'code' || setting === 'prose') return isLikely(text, style, setting);
  if (setting === 'literal') return text !== '';
  return text.length >= minQuotedChars[style] && (looksRandom(text) || !isText(text, style));
}

/** Whether a string is a label, a message, the name of a thing, or an expression. */
function isText(value: string, style: SecretStyle): boolean {
  if (passwordWord.test(value)) return false;
  if (style === 'phrase' && isPhrase(value)) return false;
  if (/\s/.test(value))
    return sentenceWord.test(value) || sensitiveWord.test(value) || /^[A-Z][a-z]+ [a-z]/.test(value);
  if (!/[A-Za-z0-9]/.test(value) || /[()<>[\]{}\\`]/.test(value)) return true;
  if (style !== 'token') return /pass/i.test(value) && isNaming(value);
  return dictionary.test(value) || naming.test(wordsOf(value).at(-1) ?? '');
}

/** Whether a value may be a pass phrase: several words, none of which explains what the value is. */
export function isPhrase(value: string): boolean {
  return /^(?:[a-z'-]{1,16} ){2,11}[a-z'-]{1,16}$/.test(value) && !explaining.test(value) && !sensitiveWord.test(value);
}

/** Whether all words of a value name credentials. */
export function isNaming(value: string): boolean {
  return wordsOf(value).every((word) => naming.test(word));
}

function isLikely(value: string, style: SecretStyle, setting: ValueSetting): boolean {
  if (value.length < minChars[style] || /\s/.test(value) || (setting !== 'prose' && codeReference.test(value)))
    return false;
  if (looksRandom(value)) return true;
  if (style === 'key' || setting === 'prose' || /^[A-Za-z_.]*$/.test(value) || isPlaceholder(value)) return false;
  const digits = countOf(value, /\d/g);
  if (style === 'token' || digits === 0 || sensitiveWord.test(value)) return false;
  return /[!@#$%^&*+=~?]/.test(value) || /^[A-Za-z]+\d+[A-Za-z]?$/.test(value);
}

/** Whether a value is a member access of code: words joined by dots, none of which names a credential. */
export function isMember(value: string): boolean {
  return /^\w+(?:\.\w+)+$/.test(value) && !/^(?:self|this|process)\./.test(value) && !sensitiveWord.test(value);
}

/** Whether an unquoted value on its own line is an expression: a call, a member, a variable, a sentence. */
export function isExpression(value: string): boolean {
  if (
    /^[\w.$]*[([{]|^[!&*]\w|^[|>][-+\d]*$|[,;({[\])}\\]:?$|=>|^(?:yield|this|self|input)$/.test(value) ||
    codeReference.test(value)
  )
    return true;
  if (/\s/.test(value)) return operators.test(value) || sentenceWord.test(value) || sensitiveWord.test(value);
  return (
    /^[A-Za-z_$]+$/.test(value) && (/[a-z_][A-Z]|_/.test(value) || (sensitiveWord.test(value) && value !== 'secret'))
  );
}
