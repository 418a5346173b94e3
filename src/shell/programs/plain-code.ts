/**
 * Longer code counts as unknown, because these regular expressions take more than linear time on some texts (ReDoS).
 */
const maxCodeChars = 10_000;

// In a bracket expression, the delimiter of a `sed` command is ambiguous. Only bracket expressions without a delimiter,
// backslash, line end or other bracket are accepted.
const expression = (mark: string) =>
  String.raw`(?:\\.|\[\^?\]?(?:\[[:.=][a-z]+[:.=]\]|(?!${mark})[^\][\\\n])*\]|(?!${mark})[^\\\n[])*`;
const address = String.raw`(?:\d+(?:~\d+)?|\$|\/${expression('/')}\/I?)`;
const replaced = String.raw`(?<mark>[/,|#!@%~;+&])${expression(String.raw`\k<mark>`)}\k<mark>(?:\\.|(?!\k<mark>)[^\\\n])*\k<mark>`;
const replacedLetters = String.raw`(?<sign>[/,|#!@%~;+&])(?:(?:\\.|(?!\k<sign>)[^\\\n])*\k<sign>){2}`;
const sedCommand = new RegExp(
  String.raw`[\s;]*(?:(?:${address}(?:,[+~]?${address})?)?\s*!?\s*(?:\{|(?:[}pPdDgGhHnNxqQ=lz]\d*|s${replaced}[gpiIM\d]*|y${replacedLetters}|[aic](?:\\\n?|[ \t])[^\n\\]*)(?=[\s;}]|$))|$)`,
  'y',
);

/** Whether a `sed` script only prints, deletes and replaces text of its output. */
function isPlainSed(code: string): boolean {
  if (code.length > maxCodeChars) return false;
  sedCommand.lastIndex = 0;
  while (sedCommand.lastIndex < code.length) if (!sedCommand.test(code)) return false;
  return code !== '';
}

const awkFunctions =
  /^(?:length|substr|split|index|tolower|toupper|sub|gsub|match|sprintf|int|printf?|if|for|while|in|return|exit)$/;
const awkVariables = /^(?:[NF]R|FNR|NF|O?FS|O?RS|BEGIN|END|FILENAME|SUBSEP|RSTART|RLENGTH)$/;

/**
 * Whether an `awk` program only computes and prints: every name is known, and no output is redirected. A `>` before the
 * first `print` is a comparison. A line continuation is refused, because it may separate a function name from its
 * operands.
 */
function isPlainAwk(code: string): boolean {
  if (code.length > maxCodeChars) return false;
  if (/[@`|]|print.*>|\\\s|\bgetline\b/s.test(code.replaceAll('||', '  '))) return false;
  const called = [...code.matchAll(/\b([A-Za-z_]\w*)\s*\(/g)].every(([, name = '']) => awkFunctions.test(name));
  return (
    called && [...code.matchAll(/\b[A-Z_]\w*/g)].every(([name]) => awkVariables.test(name) || !/^[A-Z]+$/.test(name))
  );
}

/** Patterns for code of other programs that only computes and prints. */
const plainCode: readonly (readonly [names: RegExp, code: RegExp])[] = [
  [/^curl$/, /^(?!@)(?!.*%output)/s],
  [/^(?:n?vim?|view)$/, /^(?:\d+|\$)?$/],
];

/** Whether code of a program only computes and prints; false if unknown. */
export function isPlainCode(name: string, code: string): boolean {
  if (/awk$|^bwk$/.test(name)) return isPlainAwk(code);
  return /sed$/.test(name)
    ? isPlainSed(code)
    : plainCode.some(([names, plain]) => names.test(name) && plain.test(code));
}
