import { programOf } from '../programs/programs.js';
import { argumentsOf } from '../read/arguments-of.js';
import type { CommandReading, SimpleCommand } from '../read/simple-command.js';
import { parseCommandRule, writeCommandRule } from './command-rule.js';
import { coversCommand } from './match-command-rule.js';

const neverRemembered = new Set(
  `sudo doas su pkexec run0 gosu su-exec runuser eval source . exec trap alias xargs parallel ssh chroot unshare
    nsenter env builtin command crontab at batch`.split(/\s+/),
);

/** Programs that run another one which a rule may name with them. */
const runners =
  /^(?:g?timeout|nice|nohup|time|npx|pnpx|bunx|uvx|(?:npm|pnpm|yarn|bun) (?:exec|x|dlx)|(?:uv|poetry|pipenv|pdm|hatch|rye|pipx|conda|mamba) run|uv tool run|bundle exec|mise (?:exec|x))$/;

/** Subcommands that run code of files that change, or packages. */
const running =
  /^(?:(?:npm|pnpm|yarn) (?:init|create|explore|node)|go (?:run|generate|tool)|cargo run|dotnet (?:run|script|exec)|(?:docker|podman|nerdctl|kubectl) (?:run|exec|compose|container|debug))$/;

/**
 * The rules (without `Bash( )`) that remember a line for always: the exact words of each of its commands. Empty when it
 * should be asked every time.
 */
export function suggestRules(reading: CommandReading): readonly string[] {
  if (reading.problems.length > 0) return [];
  const rules = reading.commands.map(suggestRule);
  if (!rules.every((rule) => rule !== undefined)) return [];
  return [...new Set(rules.filter((_, index) => reading.commands[index]?.wrapper === undefined))];
}

/**
 * The rule that remembers one simple command by its exact words; `undefined` for what is computed, writes by
 * redirection, or runs shells, code of files that change or other commands as it likes.
 */
function suggestRule(command: SimpleCommand): string | undefined {
  const { argv, wrapper, at, substituted } = command;
  const { name } = argumentsOf(command);
  const [program = ''] = name.split(' ');
  if (program === '' || neverRemembered.has(program) || substituted) return undefined;
  if (wrapper !== undefined && (at === undefined || !runners.test(argumentsOf(wrapper).name))) return undefined;
  const first = programOf(name)?.operands[0] ?? programOf(program)?.operands[0];
  const isCode =
    first === 'codePath' ||
    first === 'command' ||
    /awk$/.test(program) ||
    programOf(program)?.operands[0] === 'codePath';
  if (isCode || argv.slice(1).some(({ value }) => running.test(`${program} ${value}`))) return undefined;
  if (argv.some((word) => word.kind !== 'literal' || word.value.length > 200)) return undefined;
  const rule = writeCommandRule(argv.map((word) => word.value));
  return coversCommand(parseCommandRule(rule), command) ? rule : undefined;
}
