/** The samples of a table that are short and plain: one a line, or several with ` ¦ ` between them. */
export function samples({ raw }: TemplateStringsArray): readonly string[] {
  return raw
    .join('')
    .split(/\n| ¦ /)
    .map((sample) => sample.trim())
    .filter(Boolean);
}

/** The rows of a table that is written down by rule: each rule with each of its samples. */
export function byRule(table: Readonly<Record<string, readonly string[]>>): readonly (readonly [string, string])[] {
  return Object.entries(table).flatMap(([rule, lines]) => lines.map((line) => [rule, line] as const));
}
