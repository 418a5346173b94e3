import { matchesText } from '../../core/text/star-pattern.js';
import { mayPassOptions, wordsOf } from '../parse/passed-words.js';
import type { CommandReading, CommandWord, SimpleCommand } from '../parse/simple-command.js';
import { typedWords } from '../parse/standard-input.js';
import { isPlainVariable, unknownVariables, variableOf } from '../parse/variable-roles.js';
import type { Arguments } from '../programs/arguments.js';
import { computedWord, isOption, literalWord } from '../programs/command-words.js';
import { readArguments } from '../programs/read-arguments.js';
import { isBeginning, programOf } from '../programs/table.js';
import type { CommandRule, RuleWord } from './command-rule.js';
import { foldersIn } from './entered-folders.js';
import { matchAt, maxMatched, type RuleMatch } from './match-rule-words.js';
import { unknownWordsOf } from './named-files.js';
import { doubtSurroundings } from './read-only.js';

/** Facts about a line, besides its words, that decide whether an allow rule covers it. */
export interface LineFacts {
  /** Whether all folders that the line works in are inside the workspace. */
  readonly staysInside: boolean;
  /** Whether a command of the line needs no rule, because it is known to be read-only. */
  readonly needsNoRule: (command: SimpleCommand, index: number) => boolean;
  /**
   * Whether a folder that a command works in may contain a file whose name begins with a dash. A program takes such a
   * name for an option if a glob expands to it.
   */
  readonly holdsOptionNames: (command: SimpleCommand) => boolean;
}

const onlyWords: LineFacts = { staysInside: true, needsNoRule: () => false, holdsOptionNames: () => false };

/**
 * Whether the line was fully parsed and the rules cover each of its simple commands, also inside wrappers and
 * substitutions. The rule `*` covers any line.
 */
export function isCovered(reading: CommandReading, rules: readonly CommandRule[], facts = onlyWords): boolean {
  if (rules.some(coversEverything)) return true;
  if (reading.problems.length > 0 || reading.commands.length === 0) return false;
  return reading.commands.every(
    (command, index) =>
      isBareGroup(command) ||
      rules.some((rule) => coversCommand(rule, command, facts) || coversStarted(rule, command, facts)) ||
      facts.needsNoRule(command, index),
  );
}

/**
 * Whether an allow rule covers one simple command. The words that match the rule must be literal, and no redirection or
 * variable may change what programs do.
 */
function coversCommand(rule: CommandRule, command: SimpleCommand, facts: LineFacts): boolean {
  if (coversEverything(rule)) return true;
  const { argv } = command;
  const count = rule.words.length;
  if (argv.length < count || (!rule.more && argv.length !== count)) return false;
  if (!isExact(rule)) {
    if (!isListed(command, rule) || mayGetOptions(command, facts)) return false;
    // A rule of one word names no folder, so the count is 0. `countPlaces` would count the home folder for a bare `cd`.
    const named = count > 1 ? countPlaces(argv.slice(0, count), facts) : 0;
    if (countPlaces(argv, facts) > named) return false;
  }
  if (doubtSurroundings(command) !== undefined) return false;
  const fixed = argv
    .slice(0, count)
    .every((word, index) => word.kind === 'literal' && coversWord(rule.words[index], word.value, index === 0));
  return fixed && argv.slice(count).every((word) => word.kind === 'literal' || word.kind === 'glob');
}

/** Whether a rule lists every word of a call and has no pattern. */
function isExact({ more, words }: CommandRule): boolean {
  return !more && words.every(({ pattern }) => !pattern);
}

/**
 * Whether the role of each word is known. A program or subcommand that is not in the table is trusted if the rule names
 * it.
 */
function isListed(command: SimpleCommand, rule: CommandRule): boolean {
  const { read } = command;
  const { name, program, values, unknown } = read;
  // If the table lists only the subcommands of a program, it is unknown which word after an option is the subcommand.
  if (program === undefined)
    return (
      programOf(name.split(' ', 1)[0] ?? '') === undefined && !(isBeginning(name) && isOption(command.words[0] ?? ''))
    );
  const subcommand = unlistedSubcommand(read);
  const at = subcommand === undefined ? -1 : command.argv.indexOf(subcommand);
  if (at >= 0 && rule.words[at]?.pattern === false) return true;
  // The words after a script name belong to the script, so their role does not matter.
  const isScript = values.some(({ kind }) => kind === 'script');
  return (
    unknown.length === 0 && values.every(({ kind, option }) => kind !== 'unknown' || (isScript && option === undefined))
  );
}

/** The subcommand of a call; undefined if the table lists the subcommand. */
function unlistedSubcommand({ name, program, values }: Arguments<CommandWord>): CommandWord | undefined {
  const first = values.find(({ option }) => option === undefined);
  return program !== undefined && first?.kind === 'unknown' && isBeginning(name) ? first.word : undefined;
}

/**
 * Counts the words that a rule has to name explicitly. These are files that an otherwise read-only program writes
 * (`sort -o`), code that options load (`make -f`), variables that are not plain, and, if the line leaves the workspace,
 * the folders in which the program works (`make -C`).
 */
function countPlaces(argv: readonly CommandWord[], { staysInside }: LineFacts): number {
  const read = readArguments(argv);
  const isReadOnly = read.program?.traits.has('readOnly') === true;
  const isInterpreter = read.program?.operands[0] === 'codePath';
  const named = read.values.filter(({ kind, option, word }) => {
    if (kind === 'variable') return !isPlainVariable(variableOf(word));
    return kind === 'codePath' ? option !== undefined && !isInterpreter : kind === 'writePath' && isReadOnly;
  });
  return named.length + (staysInside ? 0 : foldersIn(read).length);
}

/**
 * Whether a word that is known only at run time may be an option that starts another program, or an option with which a
 * read-only program writes a file.
 */
function mayGetOptions(command: SimpleCommand, { holdsOptionNames }: LineFacts): boolean {
  const { read } = command;
  const isReadOnly = read.program?.traits.has('readOnly') === true;
  const mayWrite = isReadOnly && [...(read.program?.options.values() ?? [])].some(({ kind }) => kind === 'writePath');
  if (!startsOthers(read) && !mayWrite) return false;
  if (read.possibleOptions.some((word) => mayPassOptions(word, command.passed))) return true;
  return command.argv.some(({ kind, value }) => kind === 'glob' && /^[*?[-]/.test(value)) && holdsOptionNames(command);
}

/**
 * Whether the rule covers the wrapper of this command and also the command itself. The rest of the rule, such as `tsc
 * *` in `npx tsc *`, is compared with the command. If the wrapper runs code in place of a program, the rule has to name
 * the option before the code (`-c` in `python3 -c *`).
 */
function coversStarted(rule: CommandRule, command: SimpleCommand, facts: LineFacts): boolean {
  const isCode = command.argv[0]?.kind === 'computed';
  let at = 0;
  for (let each = command; each.wrapper !== undefined && each.at !== undefined; each = each.wrapper) {
    at += each.at;
    if (!coversCommand(rule, each.wrapper, facts)) continue;
    if (isCode || isExact(rule)) return rule.words[at]?.pattern === false;
    return rule.words.length > at && coversCommand({ ...rule, words: rule.words.slice(at) }, command, facts);
  }
  return false;
}

/**
 * Whether an ask or deny rule matches a command of a line at any depth, also under wrappers. The program may have any
 * path, and options and assignments may be anywhere between the words of the rule.
 */
export function matchRestriction(rule: CommandRule, reading: CommandReading): RuleMatch {
  if (coversEverything(rule)) return 'yes';
  const forms = formsOf(rule);
  const matches = reading.commands.flatMap((command) => forms.map((form) => restrictsCommand(form, command)));
  if (matches.includes('yes')) return 'yes';
  return reading.problems.length > 0 || matches.includes('possible') ? 'possible' : 'no';
}

/**
 * A rule that ends in `:*` (`npm run test:*`) restricts the words before the colon with any further words, and also
 * every longer name (`test:unit`).
 */
function formsOf(rule: CommandRule): readonly CommandRule[] {
  const last = rule.words.at(-1);
  if (!last || !/\S:\*$/.test(rule.spec.trim())) return [rule];
  return [rule, { ...rule, words: [...rule.words.slice(0, -1), { value: `${last.value}:*`, pattern: true }] }];
}

/** Whether an ask or deny rule matches one simple command. In doubt the answer is `possible`. */
function restrictsCommand(rule: CommandRule, command: SimpleCommand): RuleMatch {
  const argv = wordsOf(command);
  const [, ...rest] = argv;
  const direct = matchAt(rule, argv);
  if (direct !== 'no') return direct;
  const { read } = command;
  if (mayBeSubcommand(rule, argv, read)) return 'possible';
  if (startsOthers(read) && read.possibleOptions.some((word) => mayPassOptions(word, command.passed)))
    return 'possible';
  const operands = read.program?.operands;
  const takesCode = operands?.some((kind) => /^(?:codePath|program|script)$/.test(kind)) === true;
  const typed = typedWords(command);
  const texts = [...typed, ...unknownVariables(command)];
  if (typed.some(({ kind }) => kind === 'computed')) return 'possible';
  if (texts.some((word) => mayBegin(rule, [word]) || mayHold(rule, word))) return 'possible';
  const unknown = unknownWordsOf(command);
  if (unknown.length === 0 && !takesCode) return 'no';
  const mayMeet =
    rest.some((_, index) => mayBegin(rule, rest.slice(index))) || unknown.some((word) => mayHold(rule, word));
  return mayMeet ? 'possible' : 'no';
}

/** Whether an unlisted subcommand may be an alias of the subcommand in a rule (`git p`). */
function mayBeSubcommand(rule: CommandRule, argv: readonly CommandWord[], read: Arguments<CommandWord>): boolean {
  const subcommand = unlistedSubcommand(read);
  if (subcommand === undefined) return false;
  return (
    matchAt(
      rule,
      argv.map((word) => (word === subcommand ? computedWord(word.text) : word)),
    ) !== 'no'
  );
}

/** Whether an option or operand of a program may be code or another program. */
function startsOthers({ program }: Arguments<CommandWord>): boolean {
  const kinds = [...(program?.options.values() ?? [])].map(({ kind }) => kind).concat(program?.operands ?? []);
  return kinds.some((kind) => /^(?:co|program|module|unknown)/.test(kind));
}

/**
 * Whether the text of a word contains a command that the rule matches. The program may pass the word to a shell, or the
 * command may follow an option in the word.
 */
function mayHold(rule: CommandRule, { value }: CommandWord): boolean {
  const words = value.split(/[^\w./@+-]+/, maxMatched).map(literalWord);
  return words.length > 1 && words.some((_, index) => mayBegin(rule, words.slice(index)));
}

/**
 * Whether these words, taken from a command, may start another command that the rule matches. If the first word is
 * known only at run time, it may be any program, and only the following words are compared.
 */
function mayBegin(rule: CommandRule, argv: readonly CommandWord[]): boolean {
  const [first, ...rest] = argv;
  if (first?.kind !== 'computed') {
    // The name of the program may follow an option letter or a sign in its word (`-crm`, `@rm`).
    const bare = first?.value.replace(/^(?:-\w|@)(?=.)/, '') ?? '';
    return [argv, [literalWord(bare), ...rest]].some((words) => matchAt(rule, words) !== 'no');
  }
  const [named, ...words] = rule.words;
  return (
    words.length > 0 &&
    named !== undefined &&
    matchAt({ ...rule, words: [{ value: '*', pattern: true }, ...words] }, [literalWord('any'), ...rest]) !== 'no'
  );
}

function coversEverything(rule: CommandRule): boolean {
  return rule.words.length === 0 && rule.more;
}

function isBareGroup(command: SimpleCommand): boolean {
  return command.argv.length === 0 && command.assignments.length === 0 && doubtSurroundings(command) === undefined;
}

function coversWord(rule: RuleWord | undefined, value: string, isProgram: boolean): boolean {
  if (!rule) return false;
  if (!rule.pattern) return rule.value === value;
  if (/(?:^|\/)\.\.(?:\/|$)/.test(value) || (value.startsWith('-') && rule.value.startsWith('*'))) return false;
  if (rule.value === '*') return !isProgram;
  // A star matches no slash.
  const [patterns, parts] = [rule.value.split('/'), value.split('/')];
  return patterns.length === parts.length && patterns.every((each, at) => matchesText(each, parts[at] ?? ''));
}
