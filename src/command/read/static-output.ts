import { programName, type SimpleCommand } from './simple-command.js';

const maxTransformed = 8_000;
const maxSet = 200;
const filters = new Set(['cut', 'sed', 'awk', 'gawk', 'fold', 'paste', 'column', 'nl', 'colrm', 'expand', 'fmt', 'rs']);
const passing = new Set(['cat', 'tee', 'head', 'tail', 'sort', 'uniq', 'tac', 'grep', 'sponge', 'pv', 'buffer', 'dd']);

/**
 * What a list of commands prints, where every word of it is known; `undefined` when nothing or not everything is
 * known.
 */
export function outputOf(commands: readonly SimpleCommand[]): string | undefined {
  const last = finalCommands(commands);
  if (last.length === 0 || last.some((command) => command.argv.some((word) => word.kind === 'computed')))
    return undefined;
  if (commands.some(mayLeaveOut)) return undefined;
  return joinOutputs(last);
}

/** The name of the program whose path `which`, `command -v` or `type -p` prints. */
export function locatedProgram(commands: readonly SimpleCommand[]): string | undefined {
  const [only, another] = finalCommands(commands);
  const name = programName(only?.argv[0]);
  const [option, operand] = only?.argv.slice(1) ?? [];
  if (another || !option || option.kind === 'computed') return undefined;
  if (name === 'which') return /^-/.test(option.value) ? operand?.value : option.value;
  const prints = (name === 'command' && option.value === '-v') || (name === 'type' && /^-[pP]$/.test(option.value));
  return prints && operand?.kind !== 'computed' ? operand?.value : undefined;
}

/** True for a filter that may print less or other than it reads. */
function mayLeaveOut(command: SimpleCommand): boolean {
  const name = programName(command.argv[0]);
  return filters.has(name) || (passing.has(name) && name !== 'cat' && name !== 'tee' && command.argv.length > 1);
}

/** As `outputOf`, but with the unknown parts left out: enough to look for danger, never enough to trust. */
export function likelyOutputOf(commands: readonly SimpleCommand[]): string | undefined {
  return joinOutputs(finalCommands(commands));
}

function finalCommands(commands: readonly SimpleCommand[]): SimpleCommand[] {
  const consumed = new Set(commands.flatMap((command) => [...command.input.commands]));
  return commands.filter((command) => !consumed.has(command));
}

function joinOutputs(commands: readonly SimpleCommand[]): string | undefined {
  const texts = commands.map(printedBy).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join('');
}

function printedBy(command: SimpleCommand): string | undefined {
  const name = programName(command.argv[0]);
  const words = command.argv.slice(1).map((word) => word.value);
  if (name === 'echo') return echo(words);
  if (name === 'printf') return printf(words);
  const input = hereText(command) ?? command.input.text;
  if (input === undefined) return undefined;
  if (passing.has(name)) return input;
  return input.length > maxTransformed ? undefined : transform(name, words, input);
}

/** The text of the last here-document or here-string of a command. */
export function hereText(command: SimpleCommand): string | undefined {
  return command.redirections.findLast((each) => each.body !== undefined)?.body;
}

function echo(words: readonly string[]): string {
  const first = words.findIndex((word) => !/^-[neE]+$/.test(word));
  const operands = first === -1 ? [] : words.slice(first);
  const options = (first === -1 ? words : words.slice(0, first)).join('');
  const text = operands.join(' ');
  return (options.includes('e') ? decodeEscapes(text) : text) + (options.includes('n') ? '' : '\n');
}

function printf(words: readonly string[]): string {
  const operands = words[0] === '--' ? words.slice(1) : words;
  const format = operands[0] ?? '';
  const values = operands.slice(1);
  const pieces = format.split(/(%(?:%|[-+ #0]*\d*(?:\.\d+)?[a-zA-Z]))/);
  const directives = pieces.filter((piece, index) => index % 2 === 1 && piece !== '%%').length;
  let text = '';
  let used = 0;
  do {
    text += pieces
      .map((piece, index) => (index % 2 === 0 ? decodeEscapes(piece) : directive(piece, () => values[used++] ?? '')))
      .join('');
  } while (directives > 0 && used < values.length && text.length < maxTransformed);
  return text;
}

function directive(written: string, next: () => string): string {
  if (written === '%%') return '%';
  return written.endsWith('b') ? decodeEscapes(next()) : next();
}

function decodeEscapes(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3})|([\\abefnrtv"']))/g,
    (whole, hex, unicode, octal, letter) => {
      if (hex ?? unicode) return String.fromCharCode(Number.parseInt(hex ?? unicode, 16));
      if (octal) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      return letters.get(letter) ?? (letter === '\\' ? '\\' : whole);
    },
  );
}

const letters = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', ''],
  ['b', ''],
  ['"', '"'],
  ["'", "'"],
]);

function transform(name: string, words: readonly string[], input: string): string | undefined {
  const options = words.filter((word) => word.startsWith('-')).join(' ');
  if (name === 'rev')
    return input
      .split('\n')
      .map((line) => Array.from(line).reverse().join(''))
      .join('\n');
  if (name === 'base64' && /-[a-zA-Z]*[dD]|--d/.test(options)) return Buffer.from(input, 'base64').toString('latin1');
  if (name === 'xxd' && /-[a-z]*r/.test(options))
    return Buffer.from(input.replace(/\s+/g, ''), 'hex').toString('latin1');
  if (name === 'tr') return translate(words, input);
  return undefined;
}

function translate(words: readonly string[], input: string): string | undefined {
  if (words.some((word) => word.length > maxSet)) return undefined;
  const sets = words.filter((word) => !/^-[a-zA-Z]+$/.test(word)).map(expandSet);
  if (words.some((word) => /^-[a-zA-Z]*d/.test(word))) return deleteSet(new Set(sets[0]), input);
  const [from, to] = sets;
  if (!from || !to || to.length === 0) return undefined;
  const table = new Map<string, string>();
  for (const [at, each] of from.entries())
    if (!table.has(each)) table.set(each, to[Math.min(at, to.length - 1)] ?? each);
  return Array.from(input, (each) => table.get(each) ?? each).join('');
}

function deleteSet(set: ReadonlySet<string>, input: string): string {
  return Array.from(input)
    .filter((each) => !set.has(each))
    .join('');
}

function expandSet(set: string): string[] {
  const spelled = decodeEscapes(set.replace(/\[:upper:\]/g, 'A-Z').replace(/\[:lower:\]/g, 'a-z'));
  return Array.from(
    spelled.replace(/([A-Za-z0-9])-([A-Za-z0-9])/g, (_, from: string, to: string) => {
      const first = from.charCodeAt(0);
      const size = Math.max(0, to.charCodeAt(0) - first + 1);
      return Array.from({ length: size }, (_each, index) => String.fromCharCode(first + index)).join('');
    }),
  );
}
