import { skipOptions } from './command-options.js';
import { type InnerCommand, joined, script, words } from './inner-command.js';
import { type CommandWord, literalWord, type SimpleCommand } from './simple-command.js';
import { inputTexts } from './unwrap-shell.js';

/** The program `xargs` starts, with the words it reads where they are known. */
export function xargs(command: SimpleCommand): readonly InnerCommand[] {
  const { argv } = command;
  const index = skipOptions(argv, 1, {
    letters: 'InPLdEsaR',
    longs: ['--max-args', '--max-procs', '--delimiter', '--arg-file', '--max-chars', '--max-lines', '--replace'],
  });
  const inner = argv.slice(index);
  const text = inputTexts(command)[0]?.trim();
  if (inner.length === 0 || text === undefined) return words(inner);
  const marker = replacedMarker(argv.slice(1, index));
  if (marker === undefined)
    return words([
      ...inner,
      ...text
        .split(/[\s\0]+/)
        .slice(0, 50)
        .map(resolved),
    ]);
  return text
    .split('\n')
    .slice(0, 4)
    .flatMap((line) => words(inner.map((word) => resolved(word.value.replaceAll(marker, () => line)))));
}

function resolved(value: string): CommandWord {
  return { ...literalWord(value), kind: 'resolved' };
}

function replacedMarker(options: readonly CommandWord[]): string | undefined {
  const at = options.findIndex((word) => /^-[a-zA-Z0]*[Ii]|^--replace/.test(word.value));
  const given = options[at]?.value.replace(/^-[a-zA-Z0]*[Ii]|^--replace=?/, '');
  if (given === undefined) return undefined;
  return given !== '' ? given : ((/I$/.test(options[at]?.value ?? '') ? options[at + 1]?.value : undefined) ?? '{}');
}

/** The programs that `find` and `fd` start for what they find. */
export function finder({ argv }: SimpleCommand): readonly InnerCommand[] {
  const found: InnerCommand[] = [];
  argv.forEach((word, index) => {
    if (!/^(?:-(?:exec|execdir|ok|okdir)|-x|-X|--exec|--exec-batch)$/.test(word.value)) return;
    const rest = argv.slice(index + 1);
    const end = rest.findIndex((each) => each.value === ';' || each.value === '+');
    found.push(...words(end === -1 ? rest : rest.slice(0, end)));
  });
  return found;
}

/** The shell texts `parallel` makes from its command and the arguments after `:::`. */
export function parallel(argv: readonly CommandWord[]): readonly InnerCommand[] {
  const start = skipOptions(argv, 1, {
    letters: 'jaIdNnLSC',
    longs: [
      '--jobs',
      '--arg-file',
      '--delimiter',
      '--colsep',
      '--sshlogin',
      '--max-args',
      '--joblog',
      '--delay',
      '--timeout',
      '--retries',
    ],
  });
  const end = argv.findIndex((word) => /^:::/.test(word.value));
  const own = argv.slice(start, end === -1 ? undefined : end);
  const given = end === -1 ? [] : argv.slice(end + 1, end + 9);
  const replacing = own.some((word) => word.value.includes('{}'));
  if (own.length === 0) return given.map((word) => script(word.value));
  if (given.length === 0) return [script(joined(own))];
  return given.map((word) =>
    script(replacing ? joined(own).replaceAll('{}', () => word.value) : `${joined(own)} ${word.value}`.trim()),
  );
}
