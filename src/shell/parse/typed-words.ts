import { computedWord, programName } from '../words/command-word.js';
import { argumentsOf } from './arguments-of.js';
import { runsItsInput } from './inner-commands.js';
import type { CommandWord, SimpleCommand } from './simple-command.js';

/** Programs that read their standard input as data, besides those of the table. */
const dataReaders =
  /^(?:gh|glab|hub|pbcopy|xclip|xsel|wl-copy|clip|pv|ts|fzf|column|fold|fmt|expand|jless|glow|bc|gofmt|goimports|rustfmt|black|ruff|isort|shfmt|clang-format|terraform|sha\d+sum|b3sum|cksum|sum|gpg|age|jo|csvlook|xmllint|tidy|hexyl|xxhsum|json\.tool)$/;
/**
 * The standard input that a line writes for a program that may run it, since the program is not known to read it as
 * data: texts, and a computed word for text that is known only at run time. Input that certainly runs is parsed as code
 * elsewhere.
 */
export function typedWords(command: SimpleCommand): readonly CommandWord[] {
  const { program } = argumentsOf(command);
  // A program that gets words from an input (`xargs`) does not get the input itself.
  const isTaken = command.passed?.isPath === false && !getsWordsFromFile(command.wrapper);
  if (command.argv.length === 0 || isTaken || readsData(command)) return [];
  const isOwn = command.redirections.some(({ operator }) => /^<(?!&)/.test(operator));
  const texts = isOwn ? textsOf(command) : printed(command.input);
  // A script is unknown anyway, so computed input adds nothing.
  return program?.operands[0] === 'codePath' ? texts.filter(({ kind }) => kind !== 'computed') : texts;
}

function getsWordsFromFile(wrapper: SimpleCommand | undefined): boolean {
  return (
    wrapper !== undefined && argumentsOf(wrapper).values.some(({ option }) => /^-(?:a|-arg-file)$/.test(option ?? ''))
  );
}

function readsData(command: SimpleCommand): boolean {
  const read = argumentsOf(command);
  const { program, values, started } = read;
  if (dataReaders.test(programName(command.argv[0]))) return true;
  if (program === undefined) return false;
  const isJudged = started.length > 0 || values.some(({ kind }) => kind === 'code' || kind === 'command');
  return isJudged || program.traits.has('readsData') || program.traits.has('xargs') || runsItsInput(read);
}

/** The input texts in the redirections of a command. */
function textsOf({ redirections }: SimpleCommand): readonly CommandWord[] {
  return redirections.flatMap(({ operator, target, body }) => {
    if (target === undefined || !/^<(?!&)/.test(operator) || target.value === '/dev/null') return [];
    return body === undefined ? [computedWord(target.text)] : [{ ...target, value: body }];
  });
}

/** The texts that commands write into a pipe; computed words for text that is known only at run time. */
function printed(commands: readonly SimpleCommand[]): readonly CommandWord[] {
  return commands.flatMap((command) => {
    const [program, ...words] = command.argv;
    if (program === undefined && command.redirections.length > 0) return textsOf(command);
    const value = words.map((word) => word.value).join(' ');
    // Several commands may each write a part of the same word, and escapes may become other characters.
    const isKnown = commands.length === 1 && /^(?:echo|yes)$/.test(programName(program)) && !value.includes('\\');
    if (!isKnown || words.some(({ kind }) => kind === 'computed')) return [computedWord(command.text)];
    return [{ text: command.text, value: `${value}\n`, kind: 'literal', runs: [] }];
  });
}
