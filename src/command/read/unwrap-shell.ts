import { skipOptions } from './command-options.js';
import { type InnerCommand, script } from './inner-command.js';
import type { CommandWord, SimpleCommand } from './simple-command.js';
import { hereText, likelyOutputOf } from './static-output.js';

/** The text a shell runs: after `-c`, on its standard input, or printed by the commands inside `<(…)`. */
export function innerShell(command: SimpleCommand): readonly InnerCommand[] {
  const argv = withoutPlusOptions(command.argv);
  const index = skipOptions(argv, 1, { letters: 'oO', longs: ['--rcfile', '--init-file', '--init-command'] });
  const options = argv.slice(1, index).map((word) => word.value);
  if (options.some((option) => /^-[a-zA-Z]*c/.test(option) || option === '--command')) {
    return [script(argv[index]?.value ?? '', argv.slice(index + 1))];
  }
  return stdinOrFile(
    command,
    argv[index],
    argv.slice(index + 1),
    options.some((option) => /^-[a-zA-Z]*s/.test(option)),
  );
}

function withoutPlusOptions(argv: readonly CommandWord[]): readonly CommandWord[] {
  const first = argv[1]?.value ?? '';
  if (!/^\+[a-zA-Z]+$/.test(first)) return argv;
  return withoutPlusOptions([...argv.slice(0, 1), ...argv.slice(/[oO]$/.test(first) ? 3 : 2)]);
}

/** The text that `source` or `.` reads, where it comes from other commands. */
export function sourced(command: SimpleCommand): readonly InnerCommand[] {
  const [, file, ...rest] = command.argv;
  return file ? stdinOrFile(command, file, rest, false) : [];
}

/** True for the names under which a program finds its own standard input. */
export function isStandardInput(value: string): boolean {
  return value === '-' || /^\/(?:dev\/stdin|dev\/fd\/0|proc\/(?:self|\$\$|\d+)\/fd\/0)$/.test(value);
}

function stdinOrFile(
  command: SimpleCommand,
  file: CommandWord | undefined,
  rest: readonly CommandWord[],
  reads: boolean,
): readonly InnerCommand[] {
  if (file && !reads && !isStandardInput(file.value)) {
    const printed = file.runs.length > 0 ? likelyOutputOf(file.runs) : undefined;
    return printed === undefined ? [] : [script(printed, rest)];
  }
  return inputTexts(command).map((text) => script(text, reads && file ? [file, ...rest] : rest));
}

/** The text on the standard input of a command, where it is known. */
export function inputTexts(command: SimpleCommand): readonly string[] {
  const redirected = command.redirections.findLast((each) => each.operator === '<')?.target;
  const printed = redirected && redirected.runs.length > 0 ? likelyOutputOf(redirected.runs) : undefined;
  return [hereText(command) ?? printed ?? command.input.text].filter((text) => text !== undefined);
}

/** Programs that run what stands on their standard input. */
export function fromInput(command: SimpleCommand): readonly InnerCommand[] {
  return inputTexts(command).map((text) => script(text));
}
