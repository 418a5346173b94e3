import { isInterpreter, isPackageRunner, isShell } from '../read/program-classes.js';
import { type CommandReading, programName, type SimpleCommand } from '../read/simple-command.js';
import { parseCommandRule, writeCommandRule } from './command-rule.js';
import { coversCommand } from './match-command-rule.js';

const neverRemembered = new Set(
  `sudo doas su pkexec run0 gosu su-exec runuser eval source . exec trap alias xargs parallel ssh chroot unshare
    nsenter env builtin command crontab at batch`.split(/\s+/),
);

const plainWrappers = new Set('timeout nice nohup time'.split(' '));

/** Programs that run code or packages only under some of their subcommands. */
const runningSubcommands: ReadonlyMap<string, RegExp> = new Map([
  ['npm', /^(?:exec|x|init|create|explore)$/],
  ['pnpm', /^(?:exec|dlx|create)$/],
  ['yarn', /^(?:exec|dlx|create|node)$/],
  ['uv', /^(?:run|tool)$/],
  ['go', /^(?:run|generate|tool)$/],
  ['cargo', /^run$/],
  ['dotnet', /^(?:run|script|exec)$/],
  ...['docker', 'podman', 'nerdctl', 'kubectl'].map(
    (name) => [name, /^(?:run|exec|compose|container|debug)$/] as const,
  ),
]);

/**
 * The rules (without `Bash( )`) that remember a line for always: the exact words of each of its commands. Empty when it
 * should be asked every time.
 */
export function suggestRules(reading: CommandReading): readonly string[] {
  if (reading.problems.length > 0) return [];
  if (
    reading.commands.some(
      ({ wrapper, substituted }) => substituted || (wrapper !== undefined && !plainWrappers.has(wrapper)),
    )
  )
    return [];
  const rules = reading.commands.map(suggestRule);
  return rules.every((rule) => rule !== undefined) ? [...new Set(rules)] : [];
}

/**
 * The rule that remembers one simple command by its exact words; `undefined` for what is computed, writes by
 * redirection, or runs shells, code of files that change, packages or other commands as it likes.
 */
function suggestRule(command: SimpleCommand): string | undefined {
  const name = programName(command.argv[0]);
  if (name === '' || isShell(name) || neverRemembered.has(name)) return undefined;
  if (isInterpreter(name) || isPackageRunner(name) || runsCode(name, command)) return undefined;
  if (command.argv.some((word) => word.kind !== 'literal' || word.value.length > 200)) return undefined;
  const rule = writeCommandRule(command.argv.map((word) => word.value));
  return coversCommand(parseCommandRule(rule), command) ? rule : undefined;
}

function runsCode(name: string, { argv }: SimpleCommand): boolean {
  const running = runningSubcommands.get(name);
  return running !== undefined && argv.slice(1).some((word) => running.test(word.value));
}
