import { skipOptions } from './command-options.js';
import { guessInner } from './guess-inner-commands.js';
import { type InnerCommand, joined, script, words } from './inner-command.js';
import { codeOf, shellTextsIn } from './interpreter-code.js';
import { isInterpreter, isShell } from './program-classes.js';
import { type CommandWord, programName, type SimpleCommand } from './simple-command.js';
import { finder, parallel, xargs } from './unwrap-arguments.js';
import { editorCommands, makeCommands, sedCommands } from './unwrap-editors.js';
import { gitCommands } from './unwrap-git.js';
import { fromInput, innerShell, sourced } from './unwrap-shell.js';
import { type WrapperShape, wrapperPrograms } from './wrapper-programs.js';

type Unwrapper = (command: SimpleCommand) => readonly InnerCommand[];

/**
 * Everything a command hands on to be run: wrappers, inner shells, `eval`, `xargs`, `find -exec`, code for
 * interpreters, and by guess what an unknown program is given.
 */
export function unwrapCommand(command: SimpleCommand): readonly InnerCommand[] {
  const name = programName(command.argv[0]);
  const special = unwrappers.get(name);
  if (special) return special(command);
  if (isShell(name)) return innerShell(command);
  const shape = wrapperPrograms.get(name);
  const wrapped = shape ? wrappedWords(command.argv, shape) : [];
  const texts = isInterpreter(name) ? codeOf(command).flatMap(shellTextsIn) : [];
  const code = texts.map((text) => script(text));
  return [...wrapped, ...code, ...(wrapped.length > 0 ? [] : guessInner(command))];
}

const unwrappers: ReadonlyMap<string, Unwrapper> = new Map<string, Unwrapper>([
  ['env', envCommand],
  ['command', ({ argv }) => (/^-p?[vV]/.test(argv[1]?.value ?? '') ? [] : wrappedWords(argv, {}))],
  ['eval', ({ argv }) => [script(joined(argv.slice(argv[1]?.value === '--' ? 2 : 1)))]],
  ['source', sourced],
  ['.', sourced],
  ['trap', ({ argv }) => (argv.length > 2 ? [script(argv[skipOptions(argv, 1, {})]?.value ?? '')] : [])],
  ['alias', ({ argv }) => argv.slice(1).map((word) => script(word.value.replace(/^[^=]*=?/, '')))],
  ['xargs', xargs],
  ['gxargs', xargs],
  ['find', finder],
  ['gfind', finder],
  ['fd', finder],
  ['fdfind', finder],
  ['parallel', ({ argv }) => parallel(argv)],
  ['rush', ({ argv }) => parallel(argv)],
  ['watch', ({ argv }) => afterOptions(argv, { letters: 'nq', longs: ['--interval', '--equexit'] })],
  ['ssh', remoteShell],
  ['su', optionText],
  ['runuser', optionText],
  ['script', optionText],
  ['vagrant', ({ argv }) => textAfterC(argv)],
  ['sg', ({ argv }) => argv.slice(-1).map((word) => script(word.value))],
  [
    'flock',
    ({ argv }) => [
      ...textAfterC(argv),
      ...wrappedWords(argv, { letters: 'wE', longs: ['--wait', '--timeout'], operands: 1 }),
    ],
  ],
  ['at', fromInput],
  ['batch', fromInput],
  ['crontab', fromInput],
  ['git', gitCommands],
  ['sed', sedCommands],
  ['gsed', sedCommands],
  ...['vi', 'vim', 'nvim', 'view', 'vimdiff', 'ex', 'gvim', 'rvim'].map((name) => [name, editorCommands] as const),
  ...['make', 'gmake', 'bmake'].map((name) => [name, makeCommands] as const),
  ['man', ({ argv }) => optionValues(argv, /^--pager(?:=|$)/, /^-[a-zA-Z]*P$/)],
  ['cmd', windowsShell],
  ['powershell', powershell],
  ['pwsh', powershell],
  ['tmux', wholeTexts],
  ['hyperfine', wholeTexts],
  [
    'tar',
    ({ argv }) =>
      optionValues(
        argv,
        /^(?:--to-command|--checkpoint-action=exec|--use-compress-program|--rsh-command|--info-script|--new-volume-script)=?/,
        /^-[a-zA-Z]*[IF]$/,
      ),
  ],
  ['rsync', ({ argv }) => optionValues(argv, /^(?:--rsh|--rsync-path)=?/, /^-[a-zA-Z]*e$/)],
]);

function wholeTexts({ argv }: SimpleCommand): readonly InnerCommand[] {
  return argv.filter((word, index) => index > 0 && word.value.includes(' ')).map((word) => script(word.value));
}

function wrappedWords(argv: readonly CommandWord[], shape: WrapperShape): readonly InnerCommand[] {
  let index = skipOptions(argv, 1, shape);
  if (shape.subcommands) {
    if (!shape.subcommands.includes(argv[index]?.value ?? '')) return [];
    index = skipOptions(argv, index + 1, shape);
  }
  const call = shape.callOption ? argv.findIndex((word) => word.value === '-c' || word.value === '--call') : -1;
  if (call !== -1) return argv.slice(call + 1, call + 2).map((word) => script(word.value));
  index += shape.operands ?? 0;
  while (shape.assignments && /^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(argv[index]?.value ?? '')) index += 1;
  if (argv[index]?.value === '--') index += 1;
  return words(argv.slice(index));
}

function afterOptions(argv: readonly CommandWord[], shape: WrapperShape): readonly InnerCommand[] {
  const rest = argv.slice(skipOptions(argv, 1, shape));
  return rest.length === 0 ? [] : [script(joined(rest)), ...words(rest)];
}

function envCommand({ argv }: SimpleCommand): readonly InnerCommand[] {
  const split = argv.findIndex((word) => /^(?:-[a-zA-Z0]*S|--split-string)/.test(word.value));
  if (split === -1) return wrappedWords(argv, wrapperPrograms.get('env') ?? {});
  const first = (argv[split]?.value ?? '').replace(/^(?:-[a-zA-Z0]*S|--split-string)=?/, '');
  return [script([first, joined(argv.slice(split + 1))].join(' ').trim())];
}

function remoteShell(command: SimpleCommand): readonly InnerCommand[] {
  const { argv } = command;
  const index = skipOptions(argv, 1, { letters: 'BbcDEeFIiJLlmOoPpQRSWw' });
  const rest = argv.slice(index + 1);
  const proxies = argv.flatMap((word) => /(?:ProxyCommand|LocalCommand)[= ](.*)/is.exec(word.value)?.[1] ?? []);
  if (rest.length > 0) return [script(joined(rest)), ...proxies.map((text) => script(text))];
  return [...proxies.map((text) => script(text)), ...fromInput(command)];
}

function optionText(command: SimpleCommand): readonly InnerCommand[] {
  const given = textAfterC(command.argv);
  if (given.length > 0) return given;
  const user = command.argv.findIndex((word) => word.value === '-u');
  return user === -1 ? fromInput(command) : words(command.argv.slice(user + 2));
}

function textAfterC(argv: readonly CommandWord[]): readonly InnerCommand[] {
  return optionValues(argv, /^--(?:command|session-command)=?/, /^-[a-zA-Z]*c$/);
}

function optionValues(argv: readonly CommandWord[], long: RegExp, short: RegExp): readonly InnerCommand[] {
  return argv.flatMap(({ value }, index) => {
    const next = argv[index + 1]?.value ?? '';
    if (short.test(value)) return [script(next)];
    if (!long.test(value)) return [];
    return [script(value.replace(long, '').replace(/^exec=/, '') || next)];
  });
}

function windowsShell({ argv }: SimpleCommand): readonly InnerCommand[] {
  const at = argv.findIndex((word) => /^\/+[ck]$/i.test(word.value));
  return at === -1 ? [] : [script(joined(argv.slice(at + 1)))];
}

function powershell({ argv }: SimpleCommand): readonly InnerCommand[] {
  const at = argv.findIndex((word) => /^-c(?:o(?:mmand)?)?/i.test(word.value));
  return at === -1 ? [] : [script(joined(argv.slice(at + 1)))];
}
