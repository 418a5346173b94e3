import { readCommand } from '../parse/read-command.js';
import { parseShell, type ShellNode, visitChildren } from '../parse/shell-syntax.js';
import type { SimpleCommand } from '../parse/simple-command.js';
import { holdsInvisible, programName } from '../programs/command-words.js';
import { unportable } from './portable-syntax.js';
import { whyNotText } from './why-not-text.js';

/** An operand with placeholders that its program could read as an option. */
export interface TemplateWord {
  /** The parts of the word: texts, and the numbers of placeholders. The first part is a text. */
  readonly text: readonly (string | number)[];
  /** The number of the first placeholder in the word. */
  readonly firstKey: number;
  readonly program: string;
}

/** Characters without a special meaning anywhere in a word of any shell, and text in single quotes. */
const plain = /^(?:[\w@%+=:,./-]|'[^']*')*$/;
const quoted = /'[^']*'/g;

/**
 * The operands with markers in a command line; a marker stands for a placeholder. Throws a TypeError unless every POSIX
 * shell passes each marker unchanged to a program, as a word or as part of a word. A marker must not be in quotes, a
 * substitution, a redirection, an assignment, a here-document or a comment. It must be neither the name of a program
 * nor code. An argument whose values are not `limited` is allowed only for programs that are known to treat it as text.
 */
export function argumentWords(
  line: string,
  marker: RegExp,
  keys: readonly string[],
  limited: ReadonlySet<string>,
): readonly TemplateWord[] {
  const shown = (text: string) => text.replaceAll(marker, (_, index: number) => `{{.${keys[index]}}}`);
  const numbersIn = (text: string) => [...text.matchAll(marker)].map(([, index]) => Number(index));
  if (/[^\P{Cc}\n\t]/u.test(line) || holdsInvisible(line))
    throw new TypeError('it contains control characters or invisible characters; remove them');
  const script = parseShell(line);
  const [mistake] = script.errors ?? [];
  if (mistake !== undefined) throw new TypeError(`it is not valid shell syntax: ${shown(mistake.message)}`);
  const bashOnly = unportable(script, line);
  if (bashOnly !== undefined)
    throw new TypeError(
      `a command with placeholders must be plain POSIX shell; replace ${shown(bashOnly.slice(0, 80))}`,
    );

  const found = new Set(wordsOf(script).flatMap(({ pos, end }) => plainNumbers(line, pos, end, numbersIn)));
  const lost = keys.findIndex((_, index) => !found.has(index));
  if (lost !== -1)
    throw new TypeError(
      `{{.${keys[lost]}}} must be an argument of a program: a word of its own, or part of a plain one such as ` +
        `--name={{.${keys[lost]}}} or 'https://example.com/?q='{{.${keys[lost]}}}; never inside quotes, substitutions, redirections, assignments, here-documents or ` +
        'comments, nor the name of a program',
    );
  const { commands, problems } = readCommand(line);
  const problem = problems[0]?.text;
  if (problem !== undefined)
    throw new TypeError(`a command with placeholders must be fully parsable, but ${shown(problem)}`);
  const reason = whyNotText(commands, {
    given: (text) => numbersIn(text).length > 0,
    free: (text) => numbersIn(text).some((index) => !limited.has(keys[index] ?? '')),
  });
  if (reason !== undefined) throw new TypeError(shown(reason));
  return commands.flatMap((command, at) =>
    operandsOf(command).flatMap(({ value }) => {
      const [firstKey] = numbersIn(value);
      // The words of a program also occur among the words of its wrapper.
      const isInner = commands.slice(at + 1).some(({ wrapper, argv }) => wrapper === command && argv.some(isOf(value)));
      if (firstKey === undefined || isInner) return [];
      const text = value.split(marker).map((part, index) => (index % 2 === 0 ? part : Number(part)));
      return [{ text, firstKey, program: programName(command.argv[0]) }];
    }),
  );
}

const isOf = (text: string) => (word: { readonly value: string }) => word.value === text;

/** The numbers of the markers in a plain word that is separate from the rest of the line. */
function plainNumbers(line: string, pos: number, end: number, numbersIn: (text: string) => readonly number[]) {
  const isApart = /[ \t\n]/.test(line.charAt(pos - 1)) && /^(?:[ \t\n;|&)<>]|$)/.test(line.slice(end, end + 1));
  const text = line.slice(pos, end);
  return isApart && plain.test(text) ? numbersIn(text.replaceAll(quoted, '')) : [];
}

/** The words after the program names, outside of substitutions. */
function wordsOf(node: ShellNode): readonly ShellNode[] {
  if (node.type === 'Word' || node.type === 'Assignment' || /^(?:Redirect|Here\w+)$/.test(node.type)) return [];
  const found: ShellNode[] = node.type === 'Command' ? node.args.filter(({ type }) => type === 'Word') : [];
  visitChildren(node, (child) => found.push(...wordsOf(child)));
  return found;
}

/** The words after the name of a command, without words after `--` and without values of options. */
function operandsOf(command: SimpleCommand): SimpleCommand['argv'] {
  const end = command.argv.findIndex(({ value }) => value === '--');
  const { values } = command.read;
  const isValue = (text: string) => {
    const same = values.filter(({ word }) => word.value === text);
    return same.length > 0 && same.every(({ option }) => option !== undefined);
  };
  return command.argv.slice(1, end === -1 ? undefined : end).filter(({ value }) => !isValue(value));
}
