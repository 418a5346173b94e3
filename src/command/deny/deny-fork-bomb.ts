import type { Denial } from '../read/denied-command.js';
import type { SimpleCommand } from '../read/simple-command.js';

interface FunctionCall {
  readonly owner: string;
  readonly callee: string;
  readonly piped: boolean;
  readonly background: boolean;
  readonly withoutWords: boolean;
}

interface FunctionPass {
  readonly owner: string;
  readonly calls: FunctionCall[];
  waits: boolean;
}

/**
 * Functions that start themselves, directly or through each other, more than once at the same time or in the background
 * without a pause.
 */
export function denyForkBombs(commands: readonly SimpleCommand[]): readonly Denial[] {
  const passes = passesOf(commands);
  const reached = new Map<string, ReadonlySet<string>>();
  const calls = passes.flatMap((pass) => pass.calls);
  for (const { owner } of passes) if (!reached.has(owner)) reached.set(owner, reachableFrom(owner, calls));
  const bombs = passes.filter((pass) => isBomb(pass, reached));
  return [...new Set(bombs.map(({ owner }) => owner))].map((owner) => ({
    category: 'fork-bomb',
    text: `${owner} starts itself again and again`,
  }));
}

function isBomb({ owner, calls, waits }: FunctionPass, reached: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const cycle = calls.filter(({ callee }) => callee === owner || reached.get(callee)?.has(owner));
  if (cycle.some((call) => call.piped)) return true;
  const [first, second] = cycle;
  if (second) return cycle.some((call) => call.background);
  return first?.background === true && first.withoutWords && !waits;
}

/** The calls of each function body, one pass for each time the body was read. */
function passesOf(commands: readonly SimpleCommand[]): readonly FunctionPass[] {
  const names = new Set(commands.flatMap((command) => command.functions));
  const all: FunctionPass[] = [];
  const open = new Map<string, FunctionPass>();
  for (const command of commands) {
    for (const owner of open.keys()) if (!command.functions.includes(owner)) open.delete(owner);
    const owner = command.functions.at(-1);
    if (owner === undefined) continue;
    const pass = open.get(owner) ?? { owner, calls: [], waits: false };
    if (!open.has(owner)) all.push(pass);
    open.set(owner, pass);
    const callee = command.argv[0]?.value ?? '';
    if (callee === 'sleep' || callee === 'wait') pass.waits = true;
    if (names.has(callee)) pass.calls.push(callOf(command, owner, callee, names));
  }
  return all;
}

function callOf(command: SimpleCommand, owner: string, callee: string, names: ReadonlySet<string>): FunctionCall {
  const piped = command.input.commands.some(
    (before) => before.functions.includes(owner) && names.has(before.argv[0]?.value ?? ''),
  );
  return { owner, callee, piped, background: command.background, withoutWords: command.argv.length === 1 };
}

function reachableFrom(start: string, calls: readonly FunctionCall[]): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [start];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const { owner, callee } of calls) {
      if (owner !== next || found.has(callee)) continue;
      found.add(callee);
      waiting.push(callee);
    }
  }
  return found;
}
