import { type AssignedValue, lineEnds, readRun } from './assigned-value.js';
import { secretStyleOf } from './key.js';
import { linePrefix } from './terminal-colours.js';
import { isExpression, isMember, isNaming, isPhrase, type ValueSetting } from './value.js';

/** A name that a sign follows: the place of its value, and the text before the name. */
export interface NamedPlace {
  readonly text: string;
  readonly at: number;
  /** The line up to the name, behind the lines above it. */
  readonly before: string;
  readonly name: string;
  /** From the name up to the value. */
  readonly sign: string;
}

/** What stands before a name that begins a line of data: what tools put there, a list, a word that sets a variable. */
const dataStart = new RegExp(
  String.raw`(?:^|\n|\\[nr])${linePrefix}[ \t]*(?:[#;][ \t]*)?(?:- )?["']?(?:(?:export|set|setx|ENV|ARG|env|declare|local|readonly)[ \t]+(?:-{1,2}[\w-]+[ \t]+){0,3})?["']?$`,
);
/** Before a pair in the midst of a line: a blank or a sign between pairs, or an escape. */
const pairStart = /[\s;&|,'"\0/:]$|\\[nrt]$|-D$/;
/** Before a pair that follows another one, or that begins a text in quotes: of a log, a connection string, a form. */
const pairBefore = /(?:^|[\s"'])[\w.-]{1,64}=[^\s"'=]+[ \t]$|(?:[ \t=]|^)["']$/;
/** Before a pair on a line of a log. */
const logBefore = /(?:^|[\s[(<])(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL)\b[^\n(){}]*[ \t]$/;
/** Of code, not of data: a bracket that is open, a word that declares, an object. */
const codeBefore =
  /[([{<`][^)\]}>`\n]*$|(?:\b(?:let|const|var|val|my|def|return|final|static|this|self|auto|int|string|String)[ \t.]+|[$@]|->|::)$/;
/** Before an attribute of markup. */
const inTag = /<[A-Za-z][^<>]*$/;
/** How a line of code ends above another. */
const codeAbove =
  /(?:[,;(){[]|=>|\*\/|(?:^|\n)[ \t]*(?:if|elif|else|for|while|def|class|try|except|finally|with|case|default)\b[^\n]*:)[ \t\r]*\n[^\n]*$/;
/** As deep as no file of settings has its lines with blanks around the sign. */
const deepBefore = /(?:^|\n) {2,}$/;
/** A map of YAML that is a line of its own, up to a name in it, and a value up to the end of the map. */
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
/** Words that follow the first one of a pass phrase. */
const moreWords = /(?:[ \t][A-Za-z0-9'-]{1,24}){2,12}(?=[ \t]{0,8}\r?(?:\n|$))/y;

/** The setting of a quoted value: that of data where it ends a line that the name begins, or both are those of JSON. */
export function settingOfQuoted({ start, end }: AssignedValue, { text, before, name, sign }: NamedPlace): ValueSetting {
  const value = text.slice(start, end);
  // Markdown has words of code in such quotes; the other half of a choice is no value.
  if ((text[end] === '`' && !/^[ \t]*=[ \t]*$/.test(sign)) || /\?[ \t]*["']$/.test(before)) return 'prose';
  if (sign !== '=' && name.toLowerCase().endsWith(value.toLowerCase())) return 'prose';
  // A dependency may have a name that ends like that.
  if (/^[\^~<>=]*\d+(?:\.[\dx*]+)+$/.test(value) && !upperCase.test(name)) return 'quoted';
  // Of a type each is only what a value may be.
  if (/^['"`] ?\| ?['"`]/.test(text.slice(end, end + 4))) return 'prose';
  if (sign === '=' && (upperCase.test(name) || dataStart.test(before)) && !inTag.test(before)) return 'literal';
  if (/\s/.test(value)) return 'quoted';
  if (/^\\{0,3}":[ \t]*$/.test(sign)) return isNaming(value) ? 'quoted' : 'literal';
  if (codeBefore.test(before) || !endsLine.test(text.slice(end, end + 8))) return 'quoted';
  return dataStart.test(before) && !codeAbove.test(before) && /^["']?[ \t]*[=:][ \t]/.test(sign) ? 'literal' : 'quoted';
}

/** Reads an unquoted value that no program computes, whatever it looks like; undefined where it may be code. */
export function readDatum(place: NamedPlace): AssignedValue | undefined {
  const { before, name, sign } = place;
  if (flowBefore.test(before) && /^ ?: $/.test(sign)) return readFlow(place);
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

/** A word of a shell; on a line that it begins also the words of a pass phrase behind it. */
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
  const value = text.slice(start, end);
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

/** Reads the rest of a line without a comment, up to a quote where the line may stand in a string. */
export function readLine(text: string, at: number, isInString: boolean): AssignedValue | undefined {
  wholeLine.lastIndex = at;
  const [line = ''] = wholeLine.exec(text) ?? [];
  const value = line.replace(isInString ? /\\*["'`].*|[ \t]+[#;].*$/ : comment, '').trimEnd();
  if (value === '') return undefined;
  return { start: at, end: at + value.length, setting: 'literal', ...(value.length === 256 && { stop: restOfLine }) };
}
