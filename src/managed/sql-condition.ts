/** Whether a text is a UUID, which the database would refuse to read otherwise. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** The part of a statement after WHERE, and the values for its `$1`, `$2`, … */
export interface SqlCondition {
  readonly text: string;
  readonly values: readonly string[];
}

/** That columns have these values, where undefined is NULL, in the one form for which PostgreSQL uses an index. */
export function sqlCondition(columns: Readonly<Record<string, string | undefined>>): SqlCondition {
  const values: string[] = [];
  const parts = Object.entries(columns).map(([column, value]) =>
    value === undefined ? `${column} IS NULL` : `${column} = $${values.push(value)}`,
  );
  return { text: parts.join(' AND '), values };
}
