import { inspect } from 'node:util';
import { test } from 'vitest';

type Value = string | number | bigint | boolean | symbol | object | null | undefined;

/**
 * Runs one check for every row of a table, and fails with all rows whose check fails. The name of a row consists of the
 * first items of a list, or is its `name`, `why` or `id`, otherwise the row itself.
 */
export async function eachRow<Row extends Value | [unknown]>(
  rows: readonly Row[],
  check: (row: Row, index: number) => unknown,
  nameOf: (row: Row) => unknown = nameOfRow,
): Promise<void> {
  if (rows.length === 0) throw new Error('the table has no rows');
  const wrong: string[] = [];
  for (const [index, row] of rows.entries()) {
    try {
      await check(row, index);
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      wrong.push(`${index}. ${shown(nameOf(row))}\n   ${reason.replaceAll('\n', '\n   ')}`);
    }
  }
  if (wrong.length > 0) throw new Error(`${wrong.length} of ${rows.length} rows are wrong:\n${wrong.join('\n')}`);
}

/** One test for a whole table, in the form of `test.each`: a row that is a list is passed as arguments. */
export function table<const Row>(rows: readonly Row[]) {
  return (sentence: string, check: (...row: Row extends readonly unknown[] ? [...Row] : [row: Row]) => unknown): void =>
    test(sentence, () =>
      eachRow(rows as readonly Value[], (row) => check(...((Array.isArray(row) ? row : [row]) as never))),
    );
}

function nameOfRow(row: unknown): unknown {
  if (Array.isArray(row)) return row.every((item) => typeof item === 'string') ? row.slice(0, 2).join(': ') : row[0];
  if (typeof row !== 'object' || row === null) return row;
  const { name, why, id } = row as { readonly name?: unknown; readonly why?: unknown; readonly id?: unknown };
  return name ?? why ?? id ?? row;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : inspect(value, { depth: 3, breakLength: Number.POSITIVE_INFINITY });
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** The samples of a table: one on each line, or several separated by ` ¦ `, taken literally. */
export function samples({ raw }: TemplateStringsArray): readonly string[] {
  return raw
    .join('')
    .split(/\n| ¦ /)
    .map((sample) => sample.trim())
    .filter(Boolean);
}

/** The rows of a table grouped by rule: each rule with each of its samples. */
export function byRule(table: Readonly<Record<string, readonly string[]>>): readonly (readonly [string, string])[] {
  return Object.entries(table).flatMap(([rule, lines]) => lines.map((line) => [rule, line] as const));
}
