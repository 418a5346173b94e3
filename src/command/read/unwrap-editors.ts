import { type InnerCommand, script } from './inner-command.js';
import { shellTextsIn } from './interpreter-code.js';
import type { SimpleCommand } from './simple-command.js';

const runsLine = /(?:^|[;{}\n\d$/!,~+\s])e[ \t]+([^\n]+)/g;
const runsReplaced = /s([^\w\s\\])(?:(?!\1)[^\n\\]|\\.){0,400}\1((?:(?!\1)[^\n\\]|\\.){1,400})\1[gIiMmpw0-9]*e/g;

/** The shell texts a `sed` script runs: after its `e` command, and what `s///e` puts in place. */
export function sedCommands({ argv }: SimpleCommand): readonly InnerCommand[] {
  return argv.slice(1).flatMap(({ value }) => {
    const code = value.slice(0, 2_000);
    const lines = Array.from(code.matchAll(runsLine), ([, line]) => line ?? '');
    const replaced = Array.from(code.matchAll(runsReplaced), ([, , text]) => text ?? '');
    return [...lines, ...replaced].slice(0, 8).map((text) => script(text));
  });
}

/**
 * The shell texts an editor of the `vi` family runs from its command line: `-c '!…'`, `--cmd`, `+'!…'`, `:terminal`,
 * `system(…)`.
 */
export function editorCommands({ argv }: SimpleCommand): readonly InnerCommand[] {
  const values = argv.slice(1).map((word) => word.value);
  const given = values.flatMap((value, index) => {
    if (/^\+./s.test(value)) return [value.slice(1)];
    return /^(?:-c|--cmd|-S)$/.test(values[index - 1] ?? '') ? [value] : [];
  });
  return given.flatMap((text) => {
    const run = /(?:^|[^\\])!+\s*(.*)/s.exec(text)?.[1] ?? /\bterm(?:inal)?\s+(?:\+\+\S+\s+)*(.*)/s.exec(text)?.[1];
    return [...(run ? [run] : []), ...shellTextsIn(text)].map((each) => script(each));
  });
}

/**
 * The shell texts `make` is given on its command line: `SHELL=…`, other programs with words, recipes and `$(shell …)`
 * in `--eval`.
 */
export function makeCommands({ argv }: SimpleCommand): readonly InnerCommand[] {
  return argv.slice(1).flatMap(({ value }, index) => {
    const before = argv[index]?.value ?? '';
    const makefile = /^(?:--eval|-E)$/.test(before) ? value : /^(?:--eval=|-E(?=.))(.*)/s.exec(value)?.[1];
    if (makefile !== undefined) return recipes(makefile);
    const [, name = '', program = ''] = /^(\.?\w+)[:?+!]*=(.*)$/s.exec(value) ?? [];
    const starts = name === 'SHELL' || (/^[^-\s]+\s+\S/.test(program) && /^[A-Z]+$/.test(name));
    return starts && program !== '' ? [script(program)] : [];
  });
}

function recipes(makefile: string): readonly InnerCommand[] {
  const shell = Array.from(makefile.matchAll(/\$[({]shell\s+([^)}]*)/g), ([, text]) => text ?? '');
  const lines = makefile
    .split(/[;\n]/)
    .slice(1)
    .map((line) => line.replace(/^\s*[@+-]*/, ''));
  return [...shell, ...lines].filter((text) => text !== '').map((text) => script(text));
}
