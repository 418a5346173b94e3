import { type CommandWord, programName, type SimpleCommand } from './simple-command.js';
import { hereText } from './static-output.js';

const maxCode = 20_000;
const runningCall =
  /(?:\b(?:system|popen\d?|exec\w*|spawn\w*|run|call|check_call|check_output|getoutput|getstatusoutput|shell_exec|passthru|proc_open|command|qx|do shell script)\b)\s*\(?([^;\n]{0,400})/g;
const stringLiteral = /"((?:[^"\\]|\\.){1,400})"|'((?:[^'\\]|\\.){1,400})'/g;
const shellQuotes = /`([^`]{1,400})`|(?:%x|qx)\s*[{(/|!]([^})/|!]{1,400})/g;

const codeLetters = new Map([
  ['python', 'c'],
  ['pypy', 'c'],
  ['perl', 'eE'],
  ['ruby', 'e'],
  ['jruby', 'e'],
  ['node', 'ep'],
  ['nodejs', 'ep'],
  ['bun', 'ep'],
  ['php', 'rRB'],
  ['lua', 'e'],
  ['luajit', 'e'],
  ['julia', 'eE'],
  ['rscript', 'e'],
  ['osascript', 'e'],
  ['raku', 'e'],
  ['elixir', 'e'],
  ['groovy', 'e'],
  ['guile', 'c'],
  ['tclsh', 'c'],
  ['expect', 'c'],
]);

/**
 * The code an interpreter is given on its command line, in a here-document or through a pipe, as far as it is known.
 */
export function codeOf(command: SimpleCommand): readonly string[] {
  const name = programName(command.argv[0]).replace(/[\d.]+$/, '');
  const words = command.argv.slice(1);
  if (/^[gmn]?awk$/.test(name)) return words.filter((word) => /[{}(]/.test(word.value)).map((word) => word.value);
  if (name === 'deno') return words[0]?.value === 'eval' ? words.slice(1).map((word) => word.value) : [];
  const letters = codeLetters.get(name);
  if (letters === undefined) return [];
  const inline = inlineCode(words, letters);
  if (inline.length > 0) return inline.map((code) => withoutText(name, code));
  const readsInput = words.every((word) => word.value.startsWith('-') || word.value === '/dev/stdin');
  const text = readsInput ? (hereText(command) ?? command.input.text) : undefined;
  return text === undefined ? [] : [text];
}

const startedWords = /(?:^|[;\n{])\s*(?:spawn|exec|system)\s+([a-zA-Z/][^;\n"'(]{1,400})/g;

/** Shell texts that a piece of code hands to a shell or starts as a program. A cheap look, not a parser. */
export function shellTextsIn(code: string): readonly string[] {
  const texts: string[] = [];
  const head = code.slice(0, maxCode);
  for (const [, tail = ''] of head.matchAll(runningCall)) {
    const strings = Array.from(tail.matchAll(stringLiteral), ([, double, single]) =>
      (double ?? single ?? '').replace(/\\(["'\\])/g, '$1'),
    );
    const [first] = strings;
    if (first === undefined) continue;
    texts.push(first);
    if (strings.length > 1) texts.push(strings.map((each) => `'${each.replaceAll("'", "'\\''")}'`).join(' '));
  }
  for (const [, bare = ''] of head.matchAll(startedWords)) texts.push(bare);
  for (const [, ticks, braces] of head.matchAll(shellQuotes)) texts.push(ticks ?? braces ?? '');
  return texts.slice(0, 20);
}

/** Leaves out what surely is no code: comments of Python, plain substitutions of Perl. */
function withoutText(name: string, code: string): string {
  if (/^(?:python|pypy)$/.test(name) && !/"{3}|'{3}|\\\n/.test(code))
    return code.replace(/^([^#'"\n]*|[^#"\n]*'[^'\\#\n]*'[^#'"\n]*|[^#'\n]*"[^"\\#\n]*"[^#'"\n]*)#.*$/gm, '$1');
  if (name === 'perl' && !/\(\?\??\{|[@$]\{/.test(code))
    return code.replace(/(?<![\w$@%&>.*])s\/(?:[^/\\\n]|\\.)*\/(?:[^/\\\n]|\\.)*\/[gimsxpr]*(?![\w])/g, "''");
  return code;
}

function inlineCode(words: readonly CommandWord[], letters: string): string[] {
  const found: string[] = [];
  words.forEach(({ value }, index) => {
    const long = /^--(?:eval|print|execute|run)(?:=(.*))?$/s.exec(value);
    if (long) found.push(long[1] ?? words[index + 1]?.value ?? '');
    if (!value.startsWith('-') || value.startsWith('--')) return;
    const at = Array.from(value.slice(1)).findIndex((letter) => letters.includes(letter));
    if (at === -1 || !/^[A-Za-z0-9]*$/.test(value.slice(1, at + 1))) return;
    const attached = value.slice(at + 2);
    found.push(attached, words[index + 1]?.value ?? '');
  });
  return found.filter((code) => code !== '');
}
