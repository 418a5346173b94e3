import type { CommandReading, SimpleCommand } from '../parse/simple-command.js';
import { programOf } from '../programs/table.js';
import { parseCommandRule, writeCommandRule } from './command-rule.js';
import { isCovered } from './match-command-rule.js';

/** Wrappers that a rule may name together with the program that they run. */
const runners = /^(?:g?timeout|nice|nohup|time|npx|pnpx|bunx|(?:npm|pnpm|yarn|bun) (?:exec|x|dlx)|uv run)$/;

/**
 * The rules (without `Bash( )`) for "allow always": the exact words of each command. Empty if the user should be asked
 * about the line every time.
 */
export function suggestRules(reading: CommandReading): readonly string[] {
  if (reading.problems.length > 0) return [];
  const rules = reading.commands.map(suggestRule);
  if (!rules.every((rule) => rule !== undefined)) return [];
  return [...new Set(rules.filter((_, index) => reading.commands[index]?.wrapper === undefined))];
}

/**
 * The rule for the exact words of one simple command. Undefined if the command is known only at run time or redirects
 * output, or if it is a shell, an interpreter or another program that runs arbitrary commands.
 */
function suggestRule(command: SimpleCommand): string | undefined {
  const { argv, wrapper, at, substituted } = command;
  const { name, program } = command.read;
  const [first = ''] = name.split(' ');
  if (first === '' || substituted || program?.traits.has('runsInput')) return undefined;
  if (wrapper !== undefined && (at === undefined || !runners.test(wrapper.read.name))) return undefined;
  const kinds = [...(program?.operands ?? []), ...(programOf(first)?.operands.slice(0, 1) ?? [])];
  const runsOthers = !runners.test(name) && kinds.some((kind) => /^(?:codePath|command|program)$/.test(kind));
  if (runsOthers || /awk$/.test(first)) return undefined;
  if (argv.some((word) => word.kind !== 'literal' || word.value.length > 200)) return undefined;
  const rule = writeCommandRule(argv.map((word) => word.value));
  return isCovered({ text: rule, commands: [command], problems: [] }, [parseCommandRule(rule)]) ? rule : undefined;
}
