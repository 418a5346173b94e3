import { isOption } from '../read/command-options.js';
import {
  type CommandReading,
  type CommandRedirection,
  type CommandWord,
  computedWord,
  literalWord,
  programName,
  type SimpleCommand,
} from '../read/simple-command.js';
import { type FileProgram, filePrograms, gitPrograms } from './file-programs.js';

/** A file that a command line names to read or to change it. */
export interface NamedFile {
  readonly kind: 'read' | 'edit';
  readonly word: CommandWord;
  /** Whether everything below it is meant too, where it is a folder. */
  readonly isTree: boolean;
  /** What is copied or moved there, where the name is that of a file which lands in a folder. */
  readonly from?: CommandWord;
}

/** The files that redirections and the programs known by name read and change, at every depth of a line. */
export function filesOf(reading: CommandReading): readonly NamedFile[] {
  return reading.commands.flatMap((command) => [...command.redirections.flatMap(redirected), ...operandsOf(command)]);
}

function redirected({ operator, target, body }: CommandRedirection): NamedFile[] {
  if (target === undefined || body !== undefined || /^(?:\d+-?|-)$/.test(target.value)) return [];
  const read: NamedFile = { kind: 'read', word: target, isTree: false };
  const edit: NamedFile = { kind: 'edit', word: target, isTree: false };
  if (operator === '<>') return [read, edit];
  return operator.includes('>') ? [edit] : operator === '<' ? [read] : [];
}

function operandsOf(command: SimpleCommand): readonly NamedFile[] {
  const name = programName(command.argv[0]);
  const [program, words] = programOf(name, command.argv.slice(1));
  if (program === undefined) return isFinder(name) ? finderOutputs(words) : [];
  const { tree } = program;
  const isTree = tree === 'always' || (tree !== undefined && words.some(({ value }) => tree.test(value)));
  const operands = operandWords(program, words);
  if (operands.length === 0 || isPassedOperands(command)) operands.push(...impliedOperands(command, program, isTree));
  const destination = program.does === 'copy' || program.does === 'move' ? destinationOf(words, operands) : undefined;
  const named = operands.flatMap((word) =>
    kindsOf(program, words, word === destination).map((kind) => ({ kind, word, isTree })),
  );
  const placed =
    destination === undefined
      ? []
      : operands.filter((word) => word !== destination).map((word) => inside(destination, word));
  const found = isFinder(name) ? finderOutputs(words) : [];
  return [
    ...found,
    ...named,
    ...placed,
    ...outputs(program, words),
    ...words.flatMap((word) => optionFiles(program, word)),
  ];
}

function programOf(
  name: string,
  words: readonly CommandWord[],
): readonly [FileProgram | undefined, readonly CommandWord[]] {
  if (name === 'git') return gitProgram(words);
  return [isFinder(name) ? finderProgram(words) : filePrograms.get(name), words];
}

/** What another program hands on (`xargs`, `find -exec`), or the folder it stands in. */
function impliedOperands(command: SimpleCommand, { isHereByDefault }: FileProgram, isTree: boolean): CommandWord[] {
  if (isPassedOperands(command)) return [computedWord('{}')];
  return isHereByDefault === true || (isTree && command.input.commands.length === 0) ? [literalWord('.')] : [];
}

/** Whether another program hands it more words than stand there, such as `xargs`. */
export function isPassedOperands({ wrapper }: SimpleCommand): boolean {
  return wrapper !== undefined && /^g?(?:xargs|parallel|rush)$/.test(wrapper);
}

function operandWords({ scriptUnless, patternsAfter }: FileProgram, words: readonly CommandWord[]): CommandWord[] {
  const end = words.findIndex(({ value }) => value === '--');
  const isOperand = (word: CommandWord, index: number) =>
    (end !== -1 && index > end) ||
    ((word.kind === 'computed' || !/^-./s.test(word.value)) &&
      patternsAfter?.test(words[index - 1]?.value ?? '') !== true);
  const operands = words.filter(isOperand);
  const hasScript = scriptUnless !== undefined && !words.some(({ value }) => scriptUnless.test(value));
  return (hasScript ? operands.slice(1) : operands).map((word) =>
    word.value.includes('{}') ? computedWord(word.text) : word,
  );
}

/** Where copies go: what stands behind `-t`, else the last operand. */
function destinationOf(words: readonly CommandWord[], operands: readonly CommandWord[]): CommandWord | undefined {
  const option = words.findIndex(({ value }) => /^(?:-[A-Za-z]*t|--ta[a-z-]*)$/.test(value));
  if (option !== -1) return words[option + 1];
  return words.some(({ value }) => /^(?:-t.|--ta[a-z-]*=)/s.test(value)) ? undefined : operands.at(-1);
}

/** Where a source lands if the destination is a folder. */
function inside(destination: CommandWord, source: CommandWord): NamedFile {
  const name = source.value.replace(/\/+$/, '').replace(/^.*\//s, '');
  const kind = [destination, source].find((word) => word.kind !== 'literal')?.kind ?? 'literal';
  const text = `${destination.text}/${source.text}`;
  return {
    kind: 'edit',
    word: { text, value: `${destination.value}/${name}`, kind, runs: [] },
    isTree: false,
    from: source,
  };
}

function kindsOf(
  { does, editIf }: FileProgram,
  words: readonly CommandWord[],
  isDestination: boolean,
): readonly NamedFile['kind'][] {
  const edits = editIf !== undefined && words.some(({ value }) => editIf.test(value));
  if (does === 'read') return edits ? ['read', 'edit'] : ['read'];
  if (does === 'edit') return ['edit'];
  if (isDestination) return ['edit'];
  return does === 'move' ? ['read', 'edit'] : ['read'];
}

/** Files that stand in the word after an option for the output, or in an operand that is one. */
function outputs({ editsAfter, editsSecond }: FileProgram, words: readonly CommandWord[]): readonly NamedFile[] {
  const after = words.filter((_, index) => editsAfter?.test(words[index - 1]?.value ?? '') === true);
  const later = editsSecond === true ? words.filter(({ value }) => !isOption(value)).slice(1) : [];
  return [...after, ...later].map((word) => ({ kind: 'edit', word, isTree: false }));
}

/** Files that stand in one word with the name of an option: `--file=x`, `-fx`, `of=x`. */
function optionFiles({ does, edits, patternsAfter }: FileProgram, word: CommandWord): readonly NamedFile[] {
  const changed = edits?.exec(word.value)?.[1];
  if (changed !== undefined) return [{ kind: 'edit', word: part(word, changed), isTree: false }];
  if (!isOption(word.value) && !/^\w+=/.test(word.value)) return [];
  if (patternsAfter?.test(word.value.split('=', 1)[0] ?? '') === true) return [];
  const value = /^(?:--?[\w-]*|\w+)=(.+)$/s.exec(word.value)?.[1] ?? /^-[A-Za-z](.*[./].*)$/s.exec(word.value)?.[1];
  if (value === undefined) return [];
  const kinds: readonly NamedFile['kind'][] = does === 'read' ? ['read'] : ['read', 'edit'];
  return kinds.map((kind) => ({ kind, word: part(word, value), isTree: false }));
}

function part(word: CommandWord, value: string): CommandWord {
  return { ...word, text: value, value };
}

/** The words after the subcommand of git that decides what is done with files. */
function gitProgram(words: readonly CommandWord[]): readonly [FileProgram | undefined, readonly CommandWord[]] {
  const at = words.findIndex(({ value }) => gitPrograms.has(value));
  return [gitPrograms.get(words[at]?.value ?? ''), words.slice(at + 1)];
}

function isFinder(name: string): boolean {
  return name === 'find' || name === 'gfind';
}

/** The files that `find` writes what it has found into. */
function finderOutputs(words: readonly CommandWord[]): readonly NamedFile[] {
  return outputs({ does: 'read', editsAfter: /^-f(?:print0?|printf|ls)$/ }, words);
}

function finderProgram(words: readonly CommandWord[]): FileProgram | undefined {
  return words.some(({ value }) => value === '-delete') ? { does: 'edit', tree: 'always' } : undefined;
}
