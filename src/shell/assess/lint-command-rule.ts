import { literalWord } from '../programs/command-words.js';
import { readArguments } from '../programs/read-arguments.js';
import { programNames, programOf } from '../programs/table.js';
import { parseCommandRule } from './command-rule.js';

const destroyers = /^(?:rm|shred|unlink|truncate|dd)$/;

/**
 * A warning for an allow rule that covers arbitrary code (`node *`, `npm run *`, `find *`, `*`) or deletion of any
 * file; otherwise `undefined`.
 */
export function lintRule(spec: string): string | undefined {
  const rule = parseCommandRule(spec);
  const [program, ...rest] = rule.words;
  if (!program) return 'It covers every command.';
  if (program.pattern) return 'A pattern in place of the program covers unexpected programs.';
  const open = rule.more || rest.some((word) => word.pattern);
  if (!open) return undefined;
  const fixed = rest.filter((word) => !word.pattern).map((word) => word.value);
  const read = readArguments([program.value, ...fixed].map(literalWord));
  if (destroyers.test(read.name) && rest.every(({ value }) => value.startsWith('-')))
    return `${read.name} destroys any file it is given.`;
  const operands = read.values.flatMap(({ option, word }) => (option === undefined ? [word.value] : []));
  const [first] = read.program?.operands ?? [];
  if (operands.length === 0 && /^co(?:de|mmand)/.test(first ?? '')) return `${read.name} runs any code it is given.`;
  return runsOthers(read.name, operands) ? `${read.name} can run other programs or fetch code.` : undefined;
}

/** Whether further words may start another program, according to the table of programs. */
function runsOthers(name: string, operands: readonly string[]): boolean {
  if (/^(?:npm|pnpm|yarn|bun) run$|^(?:bun|deno) (?:test|task)$/.test([name, ...operands].join(' '))) return true;
  const names = programNames().filter(
    (each) => each === name || (operands.length === 0 && each.startsWith(`${name} `)),
  );
  return names.map(programOf).some((program) => {
    const kinds = [...(program?.options.values() ?? [])]
      .map(({ kind }) => kind)
      .filter((kind) => kind === 'commandUntil');
    return [...kinds, ...(program?.operands.slice(operands.length) ?? [])].some((kind) =>
      /^(?:co|program|unknown)/.test(kind),
    );
  });
}

/**
 * A warning for an ask or deny rule that is narrower than it seems: exact words do not cover the command with operands.
 */
export function lintRestriction(spec: string): string | undefined {
  const rule = parseCommandRule(spec);
  if (rule.more || rule.words.length === 0 || rule.words.at(-1)?.pattern) return undefined;
  return `It covers only these words; write \`${spec.trim()} *\` to cover them with any further words.`;
}
