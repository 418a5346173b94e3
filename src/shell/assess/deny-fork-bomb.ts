import type { SimpleCommand } from '../parse/simple-command.js';
import type { Denial, DenyRule } from './plain-command.js';

/** Functions that start themselves, directly or through each other, more than once at a time or in the background. */
export function denyForkBombs(commands: readonly SimpleCommand[]): readonly Denial[] {
  const names = new Set(commands.flatMap((command) => command.functions));
  const calls = commands.filter(({ argv, functions }) => functions.length > 0 && names.has(argv[0]?.value ?? ''));
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    calls.some(({ argv, functions }) => {
      const callee = argv[0]?.value ?? '';
      if (functions.at(-1) !== from || seen.has(callee)) return false;
      return callee === to || reaches(callee, to, seen.add(callee));
    });
  const isBomb = (owner: string) => {
    const own = commands.filter(({ functions }) => functions.at(-1) === owner);
    const again = own.filter(({ argv }) => {
      const callee = argv[0]?.value ?? '';
      return names.has(callee) && (callee === owner || reaches(callee, owner));
    });
    const waits = own.some(({ argv }) => /^(?:sleep|wait)$/.test(argv[0]?.value ?? ''));
    const isPiped = again.some(({ input }) => input.some((before) => calls.includes(before)));
    const inBackground = again.some(({ background }) => background);
    return isPiped || (inBackground && (again.length > 1 || !waits));
  };
  return [...names].filter(isBomb).map((owner) => ({
    category: 'fork-bomb',
    text: `${owner} starts itself again and again`,
  }));
}

/** A script that starts itself by its own name, or code that forks in a loop. */
export const denyForkBomb: DenyRule = ({ command, name, words }) => {
  const written = command.argv[0]?.text ?? '';
  const isSelf = /^"?\$\{?0\}?"?$|^"?\$\{?BASH_SOURCE/.test(written);
  const isPiped = command.input.some((before) => before.argv[0]?.text === written);
  if (isSelf && (isPiped || (command.background && words.length === 0)))
    return { category: 'fork-bomb', text: `${written} starts itself again and again` };
  const forks = /\b(?:while|loop|for|until)\b[\s\S]{0,80}\bfork\b|\bfork\b[^;\n{}]{0,20}\b(?:while|until)\b/;
  return /^(?:python|perl|ruby|php|node)/.test(name) && words.some((word) => forks.test(word))
    ? { category: 'fork-bomb', text: `${name} code forks in a loop` }
    : undefined;
};
