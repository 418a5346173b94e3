import { diffArrays } from 'diff';

/** Changed lines before and after, with their line numbers. Lines keep their line breaks. */
export interface LineChange {
  readonly oldStart: number;
  readonly newStart: number;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
}

/** A unified diff and its extent. */
export interface Diff {
  /** Hunks in unified form, without file headers. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
  /** Whether lines were left out because of `maxLines`. */
  readonly isCut: boolean;
}

type Row = readonly [sign: ' ' | '-' | '+', line: string];

const contextLines = 3;

/** The lines of a text, each with its `\n`. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * Compares each change line by line and prints the changes as unified hunks. Lines over `maxLineChars` are cut. `more`
 * counts further changed lines that are not shown.
 */
export function unifiedDiff(
  changes: readonly LineChange[],
  { maxLines, maxLineChars = 500 }: { readonly maxLines: number; readonly maxLineChars?: number | undefined },
  more = { added: 0, removed: 0 },
): Diff {
  const hunks: string[] = [];
  let { added, removed } = more;
  let isCut = added + removed > 0;
  let left = maxLines;
  for (const change of changes) {
    const rows = compare(change.oldLines, change.newLines);
    added += rows.filter(([sign]) => sign === '+').length;
    removed += rows.filter(([sign]) => sign === '-').length;
    for (const hunk of hunksOf(rows, change)) {
      const shown = left <= 0 ? [] : firstRows(hunk.rows, left);
      const isWhole = hunk.rows.slice(shown.length).every(([sign]) => sign === ' ');
      left = isWhole ? left - shown.length : 0;
      isCut ||= !isWhole;
      if (shown.length > 0) hunks.push(print({ ...hunk, rows: shown }, maxLineChars));
    }
  }
  return { text: [...hunks, ...(isCut ? ['[more changed lines not shown]'] : [])].join('\n'), added, removed, isCut };
}

/** A text with a line break at its end, unless it is empty. */
export function withLastBreak(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

export function diffOfTexts(oldText: string, newText: string, maxLines: number, maxLineChars?: number): Diff {
  const change = { oldStart: 1, newStart: 1, oldLines: splitLines(oldText), newLines: splitLines(newText) };
  return unifiedDiff([change], { maxLines, maxLineChars });
}

/** A diff with the header lines that `patch` expects; a path is `undefined` if the file did not exist. */
export function withHeader(diff: string, oldPath: string | undefined, newPath: string): string {
  return `--- ${oldPath ?? '/dev/null'}\n+++ ${newPath}\n${diff}`;
}

/** The metadata of a diff; undefined without a diff. */
export function diffFacts(
  diff: Pick<Diff, 'text' | 'added' | 'removed'> | undefined,
  oldPath: string | undefined,
  newPath: string,
) {
  return diff && { added: diff.added, removed: diff.removed, diff: withHeader(diff.text, oldPath, newPath) };
}

interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly rows: readonly Row[];
}

/**
 * The numbers of lines that two texts share at their start (`head`) and at their end (`tail`), in total at most `most`.
 */
export function sharedEnds(
  oldLines: readonly string[],
  newLines: readonly string[],
  most = Math.min(oldLines.length, newLines.length),
) {
  let head = 0;
  while (head < most && oldLines[head] === newLines[head]) head++;
  let tail = 0;
  while (tail < most - head && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) tail++;
  return { head, tail };
}

function compare(oldLines: readonly string[], newLines: readonly string[]): Row[] {
  const { head, tail } = sharedEnds(oldLines, newLines);
  return [
    ...rows(' ', oldLines.slice(0, head)),
    ...compareMiddle(oldLines.slice(head, oldLines.length - tail), newLines.slice(head, newLines.length - tail)),
    ...rows(' ', oldLines.slice(oldLines.length - tail)),
  ];
}

function compareMiddle(oldLines: readonly string[], newLines: readonly string[]): Row[] {
  const parts =
    oldLines.length > 1 && newLines.length > 1
      ? diffArrays([...oldLines], [...newLines], { maxEditLength: 2_000, timeout: 200 })
      : undefined;
  if (parts === undefined) return [...rows('-', oldLines), ...rows('+', newLines)];
  return parts.flatMap((part) => rows(part.added ? '+' : part.removed ? '-' : ' ', part.value));
}

function rows(sign: Row[0], lines: readonly string[]): Row[] {
  return lines.map((line) => [sign, line] as const);
}

/** The changed rows with three unchanged rows on each side; groups whose contexts touch form one hunk. */
function hunksOf(rows: readonly Row[], { oldStart, newStart }: LineChange): Hunk[] {
  const hunks: (Hunk & { readonly rows: Row[] })[] = [];
  let [oldLine, newLine, wasShown] = [oldStart, newStart, false];
  for (const [index, row] of rows.entries()) {
    const around = rows.slice(Math.max(0, index - contextLines), index + contextLines + 1);
    const isShown = around.some(([sign]) => sign !== ' ');
    if (isShown && !wasShown) hunks.push({ oldStart: oldLine, newStart: newLine, rows: [] });
    if (isShown) hunks.at(-1)?.rows.push(row);
    wasShown = isShown;
    if (row[0] !== '+') oldLine++;
    if (row[0] !== '-') newLine++;
  }
  return hunks;
}

// The first rows, at most `room`; removed lines stay together with the lines that replace them.
function firstRows(rows: readonly Row[], room: number): Row[] {
  const shown: Row[] = [];
  let end = 0;
  for (let at = 0; at < rows.length && shown.length < room; ) {
    let until = at;
    while (until < rows.length && rows[until]?.[0] !== ' ') until++;
    const run = rows.slice(at, until);
    if (run.length === 0) {
      shown.push(rows[at++] as Row);
      continue;
    }
    const part = shareOf(run, room - shown.length);
    shown.push(...part);
    if (part.length > 0) end = shown.length;
    if (part.length < run.length) return shown.slice(0, end);
    at += run.length;
  }
  return end === 0 ? [] : shown;
}

function shareOf(run: readonly Row[], room: number): readonly Row[] {
  if (run.length <= room) return run;
  const [old, fresh] = ['-', '+'].map((wanted) => run.filter(([sign]) => sign === wanted)) as [Row[], Row[]];
  const half = Math.floor(room / 2);
  if (old.length > 0 && fresh.length > 0 && half === 0) return [];
  const oldCount = Math.min(old.length, Math.max(half, room - fresh.length));
  return [...old.slice(0, oldCount), ...fresh.slice(0, room - oldCount)];
}

function print({ oldStart, newStart, rows }: Hunk, maxLineChars: number): string {
  const oldCount = rows.filter(([sign]) => sign !== '+').length;
  const newCount = rows.filter(([sign]) => sign !== '-').length;
  const head = `@@ -${range(oldStart, oldCount)} +${range(newStart, newCount)} @@`;
  return [head, ...rows.map(([sign, line]) => printRow(sign, line, maxLineChars))].join('\n');
}

// An empty range names the line before it.
function range(start: number, count: number): string {
  return count === 0 ? `${start - 1},0` : count === 1 ? String(start) : `${start},${count}`;
}

function printRow(sign: string, line: string, maxChars: number): string {
  const bare = line.replace(/\r?\n$/, '');
  const shown =
    bare.length > maxChars
      ? `${bare.slice(0, maxChars).toWellFormed()}… [${bare.length - maxChars} more characters]`
      : bare;
  return `${sign}${shown}${line.endsWith('\n') ? '' : '\n\\ No newline at end of file'}`;
}
