import type { Denial } from '../read/denied-command.js';
import { isShell } from '../read/program-classes.js';
import { programName, type ShellLoop, type SimpleCommand } from '../read/simple-command.js';

/** Loops without an end that start something in the background each time and wait for nothing. */
export function denyForkLoops(commands: readonly SimpleCommand[]): readonly Denial[] {
  const inside = new Map<ShellLoop, { readonly depth: number; readonly members: SimpleCommand[] }>();
  for (const command of commands) {
    for (const [depth, loop] of command.loops.entries()) {
      const known = inside.get(loop);
      if (known) known.members.push(command);
      else inside.set(loop, { depth, members: [command] });
    }
  }
  const bombs = [...inside].filter(([loop, { depth, members }]) => isBomb(loop, depth, members));
  return bombs.length === 0 ? [] : [{ category: 'fork-bomb', text: 'an endless loop starts more and more processes' }];
}

function isBomb({ kind }: ShellLoop, depth: number, members: readonly SimpleCommand[]): boolean {
  const waited = members.filter((command) => command.forkedLoops <= depth);
  if (kind === 'counted' || waited.length === members.length || !waited.every(isQuick)) return false;
  return (
    kind === 'endless' ||
    waited.every((command) => !command.condition || command.loops.length > depth + 1 || isConstant(command))
  );
}

const quick = new Set('true false : echo printf [ [[ test (( let date pwd ls cd eval command builtin'.split(' '));

/** True for a command that takes no time, or only holds others that are looked at by themselves. */
function isQuick(command: SimpleCommand): boolean {
  const name = programName(command.argv[0]);
  if (name === '' || quick.has(name)) return true;
  if (isShell(name)) return command.argv.some((word) => /^-[a-zA-Z]*c$/.test(word.value));
  return isNoPause(command);
}

function isNoPause({ argv }: SimpleCommand): boolean {
  return programName(argv[0]) === 'sleep' && /^0*(?:\.0*)?[smhd]?$/.test(argv[1]?.value ?? 'x');
}

/** True for a condition that is the same each time: `true`, `:`, `[ 1 ]`, `((1))`, `sleep 0`. */
function isConstant(command: SimpleCommand): boolean {
  const name = programName(command.argv[0]);
  if (name === '((' || name === '[[') return /^(?:\(\(|\[\[)\s*(?:-[nz]\s+)?\w+\s*(?:\)\)|\]\])$/.test(command.text);
  if (name === '[' || name === 'test')
    return command.argv
      .slice(1)
      .every(({ value, kind }) => kind === 'literal' && /^(?:[\w=!]*|-(?:[nz]|eq|ne|[lg][te])|\])$/.test(value));
  return ['true', 'false', ':', 'echo', 'printf'].includes(name) || isNoPause(command);
}
