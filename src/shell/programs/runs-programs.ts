/** Patterns of code that may start a program or change a file, by language. */
const running: readonly (readonly [names: RegExp, code: RegExp])[] = [
  [/awk$|^bwk$/, /\bsystem\b|\|(?!\|)|\bprintf?\b[^;}\n]{0,1000}>|\bgetline\b|@/],
  [/^psql$/, /\\(?:!|[ogswi]|copy\b|set\b|\w*edit)|\bprogram\b|`/i],
  [
    /^sqlite3$/,
    /^[ \t]*\.(?!(?:tables?|schema|mode|headers?|indexes|databases|dump)\b)|\b(?:edit|writefile|load_extension)\b/im,
  ],
  [/^emacs|^gs$/, /./s],
  [/^tmux/, /#\(/],
  [/^curl$/, /%output|^@/],
  [/^(?:mysql|mariadb)$/, /\\[!PTe]|(?:^|;)[ \t]*(?:system|pager|tee|edit|source)\b|\binto\s+(?:out|dump)file\b/im],
  [/^[gb]?make$/, /./s],
  [/vim?\w*$|^r?view$/, /^(?!(?:\d+|\$|\/.*|\?.*|set \w+(?:=\w+)?|syntax \w+|q(?:a|all)?!?)$)/s],
  [/^(?:gdb|lldb)$/, /^(?!(?:run|r|bt(?: full)?|backtrace|quit|q|continue|c|info \w+|print \w+|list|step|next)$)/s],
];
const general =
  /\b(?:system|popen\w*|exec\w*|spawn\w*|fork|run|call|check_call|check_output|getoutput|subprocess|child_process|shell_exec|passthru|proc_open|os|pty|syscall|open3?|eval|import_module|__import__|require|do shell script|qx|socket|Deno|Bun|process)\b|`|%x|\|\s*["']|["']\s*\|/;

/** Longer code is unknown: the expressions here take more than linear time on some texts (ReDoS). */
const maxCodeChars = 10_000;

/** Whether code for a program may start other programs; true if unknown. */
export function runsPrograms(name: string, code: string): boolean {
  if (code.length > maxCodeChars) return true;
  if (/^g?sed$/.test(name)) return !isPlainSed(code);
  const [, holds = general] = running.find(([names]) => names.test(name)) ?? [];
  return holds.test(code.replaceAll('||', '  '));
}

// Inside brackets a delimiter is ambiguous, so neither delimiters nor special characters are accepted there.
const expression = (mark: string) =>
  String.raw`(?:\\.|\[\^?\]?(?:\[[:.=][a-z]+[:.=]\]|(?!${mark})[^\][\\\n])*\]|(?!${mark})[^\\\n[])*`;
const address = String.raw`(?:\d+(?:~\d+)?|\$|\/${expression('/')}\/I?)`;
const replaced = String.raw`(?<mark>[/,|#!@%~;+&])${expression(String.raw`\k<mark>`)}\k<mark>(?:\\.|(?!\k<mark>)[^\\\n])*\k<mark>`;
const replacedLetters = String.raw`(?<sign>[/,|#!@%~;+&])(?:(?:\\.|(?!\k<sign>)[^\\\n])*\k<sign>){2}`;
const sedCommand = new RegExp(
  String.raw`[\s;]*(?:(?:${address}(?:,[+~]?${address})?)?\s*!?\s*(?:[{}pPdDgGhHnNxqQ=lz]\d*|s${replaced}[gpiIM\d]*|y${replacedLetters}|[aic](?:\\\n?|[ \t])[^\n\\]*)(?=[\s;}]|$)|$)`,
  'y',
);

/** Whether a `sed` script only prints, deletes and replaces within its output. */
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
 * Whether an `awk` program only computes and prints: every name is known, and no output is redirected. Before the first
 * `print` a `>` is a comparison. A line continuation may separate a function from its operands.
 */
function isPlainAwk(code: string): boolean {
  if (code.length > maxCodeChars) return false;
  if (/[@`|]|print.*>|\\\s|\bgetline\b/s.test(code.replaceAll('||', '  '))) return false;
  const called = [...code.matchAll(/\b([A-Za-z_]\w*)\s*\(/g)].every(([, name = '']) => awkFunctions.test(name));
  return (
    called && [...code.matchAll(/\b[A-Z_]\w*/g)].every(([name]) => awkVariables.test(name) || !/^[A-Z]+$/.test(name))
  );
}

/** Whether code of a program only computes and prints; false if unknown. */
export function isPlainCode(name: string, code: string): boolean {
  return /awk$|^bwk$/.test(name) ? isPlainAwk(code) : /sed$/.test(name) && isPlainSed(code);
}
