import { programName, type SimpleCommand } from './simple-command.js';

/** True for `exec < <(…)`, after which every command reads what those inside print. */
export function replacesInput(command: SimpleCommand): boolean {
  const bare = programName(command.argv[0]) === 'exec' && command.argv.length === 1;
  return bare && command.redirections.some((each) => each.operator === '<' && (each.target?.runs.length ?? 0) > 0);
}

/** True where a program gets another name for the rest of the line: `alias x=…`, `hash -p`, `BASH_CMDS[x]=…`. */
export function renamesPrograms(command: SimpleCommand): boolean {
  const name = programName(command.argv[0]);
  if (name === 'hash') return command.argv.some((word) => /^-[a-zA-Z]*p/.test(word.value));
  if (name === 'alias') return command.argv.some((word) => word.value.includes('='));
  return command.assignments.some((each) => /^BASH_(?:CMDS|ALIASES)$/.test(each.name));
}
