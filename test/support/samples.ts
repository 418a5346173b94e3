/** The samples of a table that are short and plain: one a line, or several with ` ¦ ` between them. */
export function samples({ raw }: TemplateStringsArray): readonly string[] {
  return raw
    .join('')
    .split(/\n| ¦ /)
    .map((sample) => sample.trim())
    .filter(Boolean);
}
