import { isOption } from '../read/command-options.js';
import type { CommandRedirection, CommandWord, SimpleCommand } from '../read/simple-command.js';
import { isReadOnlyGit, readsWholeTree } from './read-only-git.js';
import { isProvenOption } from './read-only-options.js';
import type { ReadOnlyProgram } from './read-only-program.js';
import { readOnlyPrograms } from './read-only-programs.js';
import { isReadOnlySed } from './read-only-sed.js';
import { isSecretPath } from './sensitive-path.js';

const harmlessVariables =
  /^(?:CI|NODE_ENV|LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|TERM|COLORTERM|COLUMNS|LINES|RUST_BACKTRACE|RUST_LOG|LOG_LEVEL|VERBOSE|PORT|HOST)$/;

const maxPieces = 8;

/** What a host knows of the paths a command reads. */
export interface PathKnowledge {
  /** Whether a path, as written, may be read without asking; relative ones are looked at too. */
  readonly isInside: (path: string) => boolean;
  /** Whether a folder with all that is below it, or all that a pattern stands for, holds nothing secret. */
  readonly holdsNoSecrets: (pathOrPattern: string) => boolean;
  /** Whether it is known of a path what it stands for; else its name decides. */
  readonly isWorkspaceKnown: boolean;
  /** The folders a line changes into, one after the other. */
  readonly entered: readonly string[];
  /** The functions a line defines. */
  readonly functions: ReadonlySet<string>;
}

/** Why a command is not proven to only read; `undefined` when it is. */
export function doubtReadOnly(command: SimpleCommand, known: PathKnowledge): string | undefined {
  const program = command.argv[0];
  if (!program || program.value === '') return 'it sets variables or redirects a group';
  if (command.argv.some((word) => word.kind === 'computed' || word.kind === 'resolved') || program.kind !== 'literal')
    return 'it is computed when it runs';
  if (command.forkedLoops > 0 || (command.background && command.functions.length > 0))
    return 'it may be started again and again in the background';
  if (known.functions.has(program.value)) return `${program.value} is a function of this line`;
  const shell = doubtSurroundings(command);
  if (shell !== undefined) return shell;
  const words = command.argv.slice(1);
  if (words.some((word) => word.kind === 'glob' && /^[*?[-]/.test(word.value)))
    return 'a pattern may turn into an option';
  const sources = command.redirections.filter((each) => each.operator === '<').flatMap((each) => each.target ?? []);
  const source = doubtPaths(
    sources.filter((word) => word.value !== '/dev/null'),
    known,
    true,
  );
  return source ?? doubtProgram(program.value, words, known);
}

/** Why what stands around the words (variables, redirections) may do more than the words say. */
export function doubtSurroundings(command: SimpleCommand): string | undefined {
  const variable = command.assignments.find(
    (each) => !harmlessVariables.test(each.name) || each.value.kind === 'computed',
  );
  if (variable) return `it sets ${variable.name}`;
  const redirection = command.redirections.find((each) => !isHarmless(each));
  return redirection && `it redirects to ${redirection.target?.text ?? 'a file'}`;
}

function isHarmless({ operator, target, body }: CommandRedirection): boolean {
  if (!target || target.kind === 'computed' || target.kind === 'resolved') return false;
  if (body !== undefined) return true;
  if (operator === '<') return !/^\/(?:dev|proc)\//.test(target.value) || target.value === '/dev/null';
  if (operator === '>&' || operator === '<&') return /^(?:\d+-?|-)$/.test(target.value);
  return target.value === '/dev/null' && operator !== '<>';
}

function doubtProgram(name: string, words: readonly CommandWord[], known: PathKnowledge): string | undefined {
  const values = words.map((word) => word.value);
  if (name === 'git') {
    if (!isReadOnlyGit(values)) return 'this git command is not known to only read';
    return doubtPaths(words, known, false) ?? (readsWholeTree(values) ? doubtFolders([], known) : undefined);
  }
  if (name === 'sed')
    return isReadOnlySed(values)
      ? doubtPaths(withoutFirstOperand(words), known, true)
      : 'this sed script is not known to only read';
  const program = readOnlyPrograms.get(name);
  if (!program) return `${name} is not known to only read`;
  const refused = values.find((value) => mayDoMore(program, value));
  if (refused !== undefined) return `${name} ${refused} may do more than read`;
  if (!fitsShape(program, values)) return `${name} may do more than read with these words`;
  if (program.operands === 'text') return undefined;
  const { patternFirst, recursive, takesFolders } = program;
  const paths = patternFirst && !values.some((value) => patternFirst.test(value)) ? withoutFirstOperand(words) : words;
  const everywhere = recursive === 'always' || values.some((value) => recursive?.test(value));
  const doubt = doubtPaths(paths, known, program.operands === 'contents');
  if (doubt !== undefined || everywhere) return doubt ?? doubtFolders(paths, known);
  return takesFolders && known.isWorkspaceKnown ? doubtFolders(paths.filter(mayBeFolder), known) : undefined;
}

function mayDoMore({ refused, proven, options }: ReadOnlyProgram, value: string): boolean {
  if (refused?.test(value) || (proven && !proven.test(value))) return true;
  return options !== undefined && isOption(value) && !isProvenOption(value, options);
}

function fitsShape({ firstWord, maxWords, maxOperands }: ReadOnlyProgram, values: readonly string[]): boolean {
  if (firstWord && !firstWord.test(values[0] ?? '')) return false;
  if (maxWords !== undefined && values.length > maxWords) return false;
  return maxOperands === undefined || values.filter((value) => !isOption(value)).length <= maxOperands;
}

function withoutFirstOperand(words: readonly CommandWord[]): readonly CommandWord[] {
  const first = words.findIndex((word) => !isOption(word.value));
  return words.filter((_, index) => index !== first);
}

function doubtPaths(words: readonly CommandWord[], known: PathKnowledge, shown: boolean): string | undefined {
  for (const { value, kind } of words) {
    const path = value.replace(/^--?[\w-]+=/, '').replace(/^-[a-zA-Z]+(?=[~/.])/, '');
    if (mayBeSecret(path, known)) return `${path} may hold secrets`;
    if (isOption(path)) continue;
    if (kind === 'glob' && (shown || /[*?[(].*\//s.test(path)) && !known.holdsNoSecrets(path))
      return `${path} may stand for a file with secrets`;
    if (!known.isInside(path)) return `${path} may be outside the working folder`;
  }
  return undefined;
}

/**
 * Looks at a path, at what stands after each colon (`HEAD:path`, `:0:path`, `:(top)path`), and at both from each folder
 * the line may be in.
 */
function mayBeSecret(path: string, { entered }: PathKnowledge): boolean {
  const pieces = path.split(':', maxPieces).map((_, index, all) =>
    all
      .slice(index)
      .join(':')
      .replace(/^(?:\([^)]*\)|[/!^]+)/, ''),
  );
  const folders = entered
    .slice(0, maxPieces)
    .map((folder, index, all) => (index === 0 ? folder : `${all.slice(0, index).join('/')}/${folder}`));
  return [path, ...pieces].some(
    (each) =>
      isSecretPath(each) ||
      [...entered.slice(0, maxPieces), ...folders].some((folder) => isSecretPath(`${folder}/${each}`)),
  );
}

/** Neither standard input nor the number behind an option. */
function mayBeFolder({ value }: CommandWord): boolean {
  return value !== '-' && !/^\d+$/.test(value);
}

function doubtFolders(words: readonly CommandWord[], { holdsNoSecrets }: PathKnowledge): string | undefined {
  const folders = words.map((word) => word.value).filter((value) => !isOption(value));
  const open = (folders.length > 0 ? folders : ['.']).find((folder) => !holdsNoSecrets(folder));
  return open === undefined ? undefined : `it reads everything below ${open}, where secrets may be`;
}
