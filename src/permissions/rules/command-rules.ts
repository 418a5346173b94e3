import type { Target } from '../../core/tool.js';
import { readCommand } from '../../shell/parse/read-command.js';
import type { CommandReading } from '../../shell/parse/simple-command.js';
import { type CommandRule, parseCommandRule } from '../../shell/rules/command-rule.js';
import { isCovered, matchRestriction, type RuleMatch } from '../../shell/rules/match-command-rule.js';
import { suggestRules } from '../../shell/rules/suggest-command-rule.js';

/**
 * Matches `Bash(…)` patterns against command lines. Keeps the patterns it has read.
 */
export class CommandRules {
  readonly #rules = new Map<string, CommandRule>();

  /** Whether allow patterns together cover every command of a line. */
  covers(patterns: readonly string[], line: string): boolean {
    const rules = patterns.map((pattern) => this.#rule(pattern));
    return isCovered(readCommand(line), rules);
  }

  /** Whether a deny or ask pattern meets any part of a line; `possible` where that shows only when the line runs. */
  meets(pattern: string, line: string): RuleMatch {
    return matchRestriction(this.#rule(pattern), readCommand(line));
  }

  /** Says of the first command with a word that is known only when it runs, why no rule covers it; else nothing. */
  whyUncovered(targets: readonly Target[]): string {
    const lines = targets.flatMap((target) => (target.kind === 'command' ? [target.command] : []));
    const words = lines.flatMap((line) => readCommand(line).commands.flatMap(({ argv }) => argv));
    const word = words.find(({ kind }) => kind === 'computed' || kind === 'resolved')?.text.slice(0, 80);
    return word === undefined
      ? ''
      : ` ${word} is known only when the command runs, which no rule for its words covers.`;
  }

  /** A line taken apart. */
  read(line: string): CommandReading {
    return readCommand(line);
  }

  #rule(pattern: string): CommandRule {
    let rule = this.#rules.get(pattern);
    if (rule === undefined) {
      rule = parseCommandRule(pattern);
      this.#rules.set(pattern, rule);
    }
    return rule;
  }
}

/** Patterns that a person who says "always" would add for a line; none where it should be asked every time. */
export function suggestCommandPatterns(line: string): readonly string[] {
  return suggestRules(readCommand(line));
}
