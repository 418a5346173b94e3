import type { GlobQuery } from '../host/file-system.js';
import { searchStart } from './search-start.js';

/** A glob query, ready for the walk. */
export interface GlobPatterns {
  readonly cwd: string;
  readonly patterns: readonly string[];
  readonly exclude: readonly string[];
}

/** Makes the patterns of a query safe and complete. */
export async function globPatterns(query: GlobQuery, roots: readonly string[]): Promise<GlobPatterns> {
  const start = await searchStart(query.path ?? roots[0] ?? '/', roots);
  return { cwd: start.directory, patterns: [query.pattern], exclude: [] };
}
