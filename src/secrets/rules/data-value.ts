import { type AssignedValue, lineEnds, readRun } from './assigned-value.js';
import { linePrefix } from './line-decoration.js';
import { secretStyleOf } from './secret-names.js';
import { isExpression, isMember, isNaming, isPhrase, type ValueSetting } from './secret-value.js';

/** The place of a value whose name is followed by a sign, and the text before the name. */
export interface NamedPlace {
  readonly text: string;
  readonly at: number;
  /** The lines above, and the line up to the name. */
  readonly before: string;
  readonly name: string;
  /** The text between the name and the value. */
  readonly sign: string;
}

/**
 * The text between the start of a data line and a name: the prefix of a tool such as `cat -n`, a list item, a keyword
 * that sets a variable.
 */
const dataStart = new RegExp(
  String.raw`(?:^|\n|\\[nr])${linePrefix}[ \t]*(?:[#;][ \t]*)?(?:- )?["']?(?:(?:export|set|setx|ENV|ARG|env|declare|local|readonly)[ \t]+(?:-{1,2}[\w-]+[ \t]+){0,3})?["']?$`,
);
/** The text right before a pair inside a line: a space or a separator between pairs, or an escape. */
const pairStart = /[\s;&|,'"\0/:]$|\\[nrt]$|-D$|(?:^|\s)-[\w-]*=(?:[\w-]+\.)?$/;
/**
 * The text before a pair that follows another pair or starts a quoted text, as in a log, a connection string or a form.
 */
const pairBefore = /(?:^|[\s"'])[\w.-]{1,64}=[^\s"'=]+[ \t]$|(?:[ \t=]|^)["']$/;
/** The level of a log line, before a pair. */
const logBefore = /(?:^|[\s[(<])(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL)\b[^\n(){}]*[ \t]$/;
/** Signs of code rather than data: an open bracket, a declaration, a member access. */
const codeBefore =
  /[([{<`][^)\]}>`\n]*$|(?:\b(?:let|const|var|val|my|def|return|final|static|this|self|auto|int|string|String)[ \t.]+|[$@]|->|::)$/;
/** The start of a markup tag, before an attribute. */
const inTag = /<[A-Za-z][^<>]*$/;
/** The end of the line above, if that line is code. */
const codeAbove =
  /(?:[,;(){[]|=>|\*\/|(?:^|\n)[ \t]*(?:if|elif|else|for|while|def|class|try|except|finally|with|case|default)\b[^\n]*:)[ \t\r]*\n[^\n]*$/;
/** A deep indentation, which settings files with spaces around the sign do not have. */
const deepBefore = /(?:^|\n) {2,}$/;
/**
 * `flowBefore` matches the start of a YAML flow mapping on its own line, up to a name. `flowValue` matches a value if
 * the rest of the mapping follows it.
 */
const flowBefore = new RegExp(
  String.raw`(?:^|\n)${linePrefix}(?:- )?(?:[\w.-]{1,64}: )?\{(?:[^{}()[\]<>"'\x60;=\n]*,)?[ \t]*$`,
);
const flowValue =
  /[^\s,{}()[\]<>"'`;=&*!|$][^,{}()[\]<>"'`;=\n]{0,127}(?=(?:,[^{}()[\]<>"'`;=\n]{0,256})?\}[ \t\r]*(?:\n|$))/y;
const endsLine = /^["'][ \t]*(?:[\r\n#]|$)/;
const upperCase = /^(?:--.*|[A-Z][A-Z0-9_]{2,})$/;
const wholeLine = new RegExp(String.raw`(?:[^${lineEnds}\\]|\\(?!\\{0,3}[nr])){1,256}`, 'y');
const restOfLine = new RegExp(`[${lineEnds}]`, 'g');
const comment = /[ \t]+[#;].*$/;
/** The further words of a pass phrase. */
const moreWords = /(?:[ \t][A-Za-z0-9'-]{1,24}){2,12}(?=[ \t]{0,8}\r?(?:\n|$))/y;

/**
 * The setting of a quoted value. The value is data if the name starts the line and the value ends the line, or if both
 * are quoted as in JSON.
 */
export function settingOfQuoted({ start, end }: AssignedValue, { text, before, name, sign }: NamedPlace): ValueSetting {
  const value = text.slice(start, end);
  // Markdown quotes words of code with backticks; in `x ? "a" : "b"` the colon does not assign "b" to a name.
  if ((text[end] === '`' && !/^[ \t]*=[ \t]*$/.test(sign)) || /\?[ \t]*["']$/.test(before)) return 'prose';
  if (sign !== '=' && name.toLowerCase().endsWith(value.toLowerCase())) return 'prose';
  // The value is the version of a dependency whose name ends in a sensitive word.
  if (/^[\^~<>=]*\d+(?:\.[\dx*]+)+$/.test(value) && !upperCase.test(name)) return 'quoted';
  // An attribute that Vue binds holds an expression.
  if (/(?:^|\s|v-bind):$/.test(before) && sign === '=') return 'code';
  // The members of a union of string literals are types, not values.
  if (/^['"`] ?\| ?['"`]/.test(text.slice(end, end + 4))) return 'prose';
  if (sign === '=' && (upperCase.test(name) || dataStart.test(before)) && !inTag.test(before)) return 'literal';
  if (/\s/.test(value)) return 'quoted';
  if (/^\\{0,3}":[ \t]*$/.test(sign)) return isNaming(value) ? 'quoted' : 'literal';
  if (codeBefore.test(before) || !endsLine.test(text.slice(end, end + 8))) return 'quoted';
  return dataStart.test(before) && !codeAbove.test(before) && /^["']?[ \t]*[=:][ \t]/.test(sign) ? 'literal' : 'quoted';
}

/** Reads an unquoted value of data, in any form; undefined if the value may be code. */
export function readDatum(place: NamedPlace): AssignedValue | undefined {
  const { before, name, sign } = place;
  if (/^ ?: $/.test(sign) && flowBefore.test(before)) return readFlow(place);
  if (name.startsWith('this.') || name.startsWith('self.') || codeBefore.test(before)) {
    return sign === '=' && upperCase.test(name) ? readWord(place, false) : undefined;
  }
  const startsLine = dataStart.test(before);
  if (sign === '=' || (startsLine && upperCase.test(name) && /^[ \t]*[:?]=[ \t]*$/.test(sign)))
    return startsLine || pairStart.test(before) || upperCase.test(name) ? readWord(place, startsLine) : undefined;
  if (!startsLine || !/^["']?[ \t]*[=:][ \t]*$/.test(sign)) return undefined;
  const line = readLine(place.text, place.at, /["'`]|\\[nr]/.test(before.slice(before.lastIndexOf('\n') + 1)));
  return line !== undefined && isDatum(line, place) ? line : undefined;
}

function readFlow(place: NamedPlace): AssignedValue | undefined {
  flowValue.lastIndex = place.at;
  const [value] = flowValue.exec(place.text) ?? [];
  if (value === undefined || isExpression(value) || value.toLowerCase() === place.name.toLowerCase()) return undefined;
  return { start: place.at, end: place.at + value.trimEnd().length, setting: 'literal' };
}

/** Reads one shell word; if the name starts its line, also the further words of a pass phrase. */
function readWord(place: NamedPlace, startsLine: boolean): AssignedValue | undefined {
  const { text, at, name } = place;
  const word = readRun(text, at, 'literal');
  if (word === undefined) return undefined;
  if (upperCase.test(name) ? /^[\w.]+\(|[,)]$/.test(text.slice(word.start, word.end)) : !isDatum(word, place))
    return undefined;
  moreWords.lastIndex = word.end;
  const isPhrase = startsLine && word.stop === undefined && /^[A-Za-z]+$/.test(text.slice(word.start, word.end));
  return isPhrase && moreWords.test(text) ? { ...word, end: moreWords.lastIndex } : word;
}

function isDatum({ start, end }: AssignedValue, { text, before, name, sign }: NamedPlace): boolean {
  // In a shell and in settings a value may start with a sign; in code and YAML the sign has a special meaning.
  const value = text.slice(start, end).replace(sign === '=' ? /^[!*@&](?=\w)/ : '', '');
  if (/[;,]/.test(text[end] ?? '') || (sign !== '=' && value.toLowerCase() === name.toLowerCase())) return false;
  const isOwnLine = dataStart.test(before) && !/(?:^|\n)[ \t]+\S*$/.test(before) && !codeAbove.test(before);
  const isPlainSign = sign === '=' || sign.includes(':');
  const isPair = sign === '=' && (pairBefore.test(before) || logBefore.test(before));
  if (
    (((isOwnLine && isPlainSign) || isPair) && isMember(value)) ||
    (secretStyleOf(name) === 'phrase' && isPhrase(value))
  )
    return true;
  const isName = /^[A-Za-z_$]\w*$/.test(value);
  if (isName && (codeAbove.test(before) || (sign.includes(' =') && deepBefore.test(before)))) return false;
  return (isName && sign === '=') || !isExpression(value);
}

/** Reads the rest of a line without its comment; if the line may stand in a string, only up to the next quote. */
export function readLine(text: string, at: number, isInString: boolean): AssignedValue | undefined {
  wholeLine.lastIndex = at;
  const [line = ''] = wholeLine.exec(text) ?? [];
  const value = line.replace(isInString ? /\\*["'`].*|[ \t]+[#;].*$/ : comment, '').trimEnd();
  if (value === '') return undefined;
  return { start: at, end: at + value.length, setting: 'literal', ...(value.length === 256 && { stop: restOfLine }) };
}
