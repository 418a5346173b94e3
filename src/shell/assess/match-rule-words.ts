import { matchesText } from '../../core/text/star-pattern.js';
import type { CommandWord } from '../parse/simple-command.js';
import { isOption, plainText, programName, unversioned } from '../programs/command-words.js';
import type { CommandRule, RuleWord } from './command-rule.js';

/** The maximum number of words of a call that are compared with a rule. */
export const maxMatched = 200;

/** Whether a rule matches a command; `possible` if the command is only known at run time or cannot be parsed. */
export type RuleMatch = 'yes' | 'possible' | 'no';

/** Whether the words of a rule match the words of a call, with options between them. */
export function matchAt(rule: CommandRule, argv: readonly CommandWord[]): RuleMatch {
  const [program, ...rest] = argv;
  const [first, ...words] = rule.words;
  if (!program || !first) return 'no';
  const named = matchProgram(first, program);
  if (named === 'no' || program.kind === 'computed') return named;
  const open = rule.more || rule.words.at(-1)?.pattern === true;
  const tail = matchWords(words, rest.slice(0, maxMatched), open);
  if (tail === 'no') return rest.length > maxMatched ? 'possible' : 'no';
  return named === 'possible' ? 'possible' : tail;
}

function matchProgram(rule: RuleWord, word: CommandWord): RuleMatch {
  if (word.kind === 'computed') return 'possible';
  const written = rule.value.toLowerCase();
  const name = programName(word);
  const whole = plainText(word.value).toLowerCase();
  const candidates = [name, unversioned(name), written.includes('/') ? whole : whole.replace(/^.*[\\/]/s, '')];
  const targets = [written, written.replace(/^.*\//s, '')];
  if (word.kind === 'glob') return targets.some((target) => globMayMean(name, target)) ? 'possible' : 'no';
  return candidates.some((each) =>
    targets.some((target) => (rule.pattern ? matchesText(target, each) : each === target)),
  )
    ? 'yes'
    : 'no';
}

function globMayMean(pattern: string, target: string): boolean {
  const literal = /^[^*?[{(@!+]*/.exec(pattern)?.[0] ?? '';
  return target.startsWith(literal.replace(/\\$/, ''));
}

function matchWords(rule: readonly RuleWord[], words: readonly CommandWord[], open: boolean): RuleMatch {
  const seen = new Map<number, RuleMatch>();
  const matchFrom = (at: number, from: number): RuleMatch => {
    const key = at * 1_000 + from;
    const answer = seen.get(key) ?? matchNext(at, from);
    seen.set(key, answer);
    return answer;
  };
  const matchNext = (at: number, from: number): RuleMatch => {
    const wanted = rule[at];
    const word = words[from];
    if (!wanted && open) return 'yes';
    if (!word) return wanted ? 'no' : 'yes';
    if (word.kind === 'computed') return 'possible';
    const skippable = isOption(word.value) || isOption(words[from - 1]?.value ?? '');
    const skipped = skippable ? matchFrom(at, from + 1) : 'no';
    if (skipped === 'yes' || !wanted) return skipped;
    const here = matchWord(wanted, word);
    const taken = here === 'no' ? 'no' : matchFrom(at + 1, from + 1);
    if (taken === 'yes' && here === 'yes') return 'yes';
    return taken !== 'no' || skipped === 'possible' ? 'possible' : 'no';
  };
  return matchFrom(0, 0);
}

function matchWord(rule: RuleWord, word: CommandWord): RuleMatch {
  const value = plainText(word.value);
  if (word.kind === 'glob') return globMayMean(value, rule.value) ? 'possible' : 'no';
  return (rule.pattern ? matchesText(rule.value, value) : rule.value === value) ? 'yes' : 'no';
}
