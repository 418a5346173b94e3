import type { InnerCommand } from './inner-command.js';
import { isShell, takesText } from './program-classes.js';
import { type CommandWord, literalWord, programName, type SimpleCommand } from './simple-command.js';

const maxGuesses = 4;
const maxLookedAt = 200;
const needWords = [
  'rm',
  'dd',
  'shred',
  'sh',
  'bash',
  'zsh',
  'dash',
  'nc',
  'ncat',
  'wipefs',
  'curl',
  'wget',
  'python',
  'python3',
  'perl',
];
const needNone = ['reboot', 'shutdown', 'poweroff', 'halt', 'mkfs'];

/**
 * What an unknown program may run: words from one on that looks like a dangerous program with options, or the programs
 * a pattern can stand for.
 */
export function guessInner(command: SimpleCommand): readonly InnerCommand[] {
  const [first, ...rest] = command.argv;
  if (first === undefined || command.guessed) return [];
  if (first.kind === 'glob')
    return matchingPrograms(first).map((name) => ({
      kind: 'words',
      words: [literalWord(name), ...rest],
      guessed: true,
    }));
  if (takesText(programName(first))) return [];
  const starts = rest
    .slice(0, maxLookedAt)
    .flatMap((word, index) => (looksLikeCommand(word, rest[index + 1]) ? [index] : []));
  return starts.slice(0, maxGuesses).map((index) => ({ kind: 'words', words: rest.slice(index), guessed: true }));
}

function looksLikeCommand(first: CommandWord, second: CommandWord | undefined): boolean {
  const name = programName(first);
  const next = second?.value ?? '';
  if (name === 'rm' || isShell(name) || name === 'shred') return /^-/.test(next);
  if (name === 'dd') return /^(?:if|of)=/.test(next);
  if (name === 'eval') return next !== '';
  return /^mkfs(?:\.\w+)?$/.test(name) && /^(?:-|\/dev\/)/.test(next);
}

function matchingPrograms(pattern: CommandWord): readonly string[] {
  const last = pattern.value.replace(/^.*\//s, '').slice(0, 40);
  try {
    const expression = new RegExp(
      `^${last
        .replace(/[.+^${}()|\\]/g, '\\$&')
        .replace(/\[!/g, '[^')
        .replace(/\*+/g, '.*')
        .replace(/\?/g, '.')}$`,
    );
    const spelled = /[a-z].*[a-z]/i.test(last);
    return [...needWords, ...(spelled ? needNone : [])].filter((name) => expression.test(name)).slice(0, maxGuesses);
  } catch {
    return [];
  }
}
