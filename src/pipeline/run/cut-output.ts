/** An output that was cut: what stayed of it, how long it was, and the file with all of it, where there is one. */
export interface CutOutput {
  readonly head: string;
  readonly tail: string;
  readonly chars: number;
  readonly path: string | undefined;
}

/** What is left of an output, with a notice in the middle. */
export function joined({ head, tail }: Pick<CutOutput, 'head' | 'tail'>, notice: string): string {
  return `${head}${head.endsWith('\n') ? '' : '\n'}${notice}\n${tail}`;
}

/** The line that says what was left out, and where it is. */
export function omission({ head, tail, chars, path }: CutOutput): string {
  const omitted = chars - head.length - tail.length;
  return path === undefined
    ? `[${omitted} characters omitted]`
    : `[${omitted} characters omitted; full output: ${path}]`;
}
