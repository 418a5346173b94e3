/** One word of a rule; `pattern` is true if it contains an unquoted `*`. */
export interface RuleWord {
  readonly value: string;
  readonly pattern: boolean;
}

/** The parsed text between the parentheses of `Bash(…)`. */
export interface CommandRule {
  readonly spec: string;
  readonly words: readonly RuleWord[];
  /** Whether more words may follow: the rule ends in ` *` or `:*`, is empty, or is `*` alone. */
  readonly more: boolean;
}

/**
 * Parses `git status`, `npm run *`, `npm run:*` or `*`. A `:*` at the end means the same as ` *`: an allow rule `npm
 * run test:*` covers `npm run test …` and no other script. An allow rule `npm run "test:"*` covers every script whose
 * name begins with `test:`. As an ask or deny rule, `npm run test:*` covers both. Quotes and backslashes work as in a
 * shell, so a quoted `*` is an ordinary character. Never throws.
 */
export function parseCommandRule(spec: string): CommandRule {
  const trimmed = spec.trim();
  const open = trimmed === '' || /(?:^|\s|:)\*$/.test(trimmed);
  const fixed = open ? trimmed.replace(/:?\*$/, '') : trimmed;
  return { spec, words: splitRule(fixed), more: open };
}

/** Formats words as the rule that covers exactly these words. */
export function writeCommandRule(words: readonly string[]): string {
  const text = words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) && !word.endsWith(':') ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
  return text;
}

function splitRule(text: string): readonly RuleWord[] {
  const words: RuleWord[] = [];
  let value: string | undefined;
  let pattern = false;
  const piece = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+|['"\\])/gsy;
  for (const [whole, single, double, escaped, bare] of text.matchAll(piece)) {
    if (/^\s/.test(whole) && bare === undefined) {
      if (value !== undefined) words.push({ value, pattern });
      value = undefined;
      pattern = false;
      continue;
    }
    pattern ||= bare?.includes('*') ?? false;
    value = (value ?? '') + (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? bare ?? '');
  }
  if (value !== undefined) words.push({ value, pattern });
  return words;
}
