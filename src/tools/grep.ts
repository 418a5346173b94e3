import * as z from 'zod/v4';
import { ToolError } from '../core/error.js';
import type { Limits } from '../core/limits.js';
import { Tool, type ToolResult } from '../core/tool.js';
import { pathFacts } from '../files/path-facts.js';
import type { FileSystem, GrepQuery, GrepResult } from '../host/file-system.js';
import type { Scrub } from '../text/scrub-part.js';
import { grepWhole } from './grep-whole.js';

const count = z.number().int().min(0);

// Made when the tool is: schemas are the larger part of what an import would cost.
const input = () =>
  z.object({
    pattern: z.string().min(1).describe('Regular expression in the syntax of ripgrep; literal braces need a backslash'),
    path: z.string().min(1).optional().describe('Absolute file or folder; default: the workspace root'),
    glob: z.string().min(1).optional().describe('Only files that fit, such as "*.{ts,tsx}", or with "!" that do not'),
    type: z.string().min(1).optional().describe('Only files of a type known to ripgrep, such as "ts", "py", "rust"'),
    output_mode: z.enum(['files_with_matches', 'content', 'count']).optional().describe('Default files_with_matches'),
    '-A': count.optional().describe('Lines after each match (content)'),
    '-B': count.optional().describe('Lines before each match (content)'),
    '-C': count.optional().describe('Lines before and after each match (content)'),
    context: count.optional().describe('Same as -C'),
    '-n': z.boolean().optional().describe('Line numbers (content); default true'),
    '-i': z.boolean().optional().describe('Ignore case'),
    '-o': z.boolean().optional().describe('Only the matching parts (content)'),
    multiline: z.boolean().optional().describe('Matches may span lines, and "." matches line breaks'),
    head_limit: count.optional().describe('Lines or paths to show; default 250, 0 for all'),
    offset: count.optional().describe('Lines or paths to skip first; gives content in path order'),
  });

type GrepInput = z.output<ReturnType<typeof input>>;

/** What Grep can reach. */
export interface GrepDependencies {
  readonly files: FileSystem;
  readonly limits: Limits['grep'];
  /** Keeps credentials from being shown in part, by `-o` or where a line is cut. Default: parts are shown as they are. */
  readonly scrub?: Scrub | undefined;
}

/** Searches file contents. */
export function grepTool({ files, limits, scrub }: GrepDependencies): Tool<GrepInput> {
  const facts = pathFacts(files);
  return Tool.define('Grep', {
    description:
      'Search file contents with a regular expression. Shows paths of matching files, newest first, or matching lines, or counts. Git-ignored files are left out unless named.',
    input: input(),
    sideEffect: 'none',
    groups: ['fs'],
    title: ({ pattern, path }) => `Grep "${pattern}"${path === undefined ? '' : ` in ${facts.display(path)}`}`,
    targets: ({ path }) => facts.reads(path ?? files.root),
    async execute(values, context): Promise<ToolResult> {
      const query = queryOf(values, limits.headLimit);
      const { found, lines } =
        scrub === undefined || query.mode !== 'content'
          ? await plainly(files.grep(query, context))
          : await grepWhole({ files, limits, scrub }, query, context);
      if (found.timedOut && found.lines.length === 0) throw tooSlow();
      return { output: describe(found, lines, query), metadata: metadataOf(found, query) };
    },
  });
}

function queryOf(values: GrepInput, headLimit: number): GrepQuery {
  const around = values.context ?? values['-C'] ?? 0;
  const limit = values.head_limit ?? headLimit;
  return {
    pattern: values.pattern,
    path: values.path,
    glob: values.glob,
    type: values.type,
    mode: values.output_mode ?? 'files_with_matches',
    before: values['-B'] ?? around,
    after: values['-A'] ?? around,
    lineNumbers: values['-n'] ?? true,
    ignoreCase: values['-i'] ?? false,
    onlyMatching: values['-o'] ?? false,
    multiline: values.multiline ?? false,
    limit: limit === 0 ? Number.POSITIVE_INFINITY : limit,
    offset: values.offset,
  };
}

async function plainly(search: Promise<GrepResult>) {
  const found = await search;
  return { found, lines: found.lines };
}

function describe(found: GrepResult, lines: readonly string[], query: GrepQuery): string {
  const { unreadable = 0 } = found;
  const text = lines.length === 0 ? [emptyNotice(found, query)] : [...lines];
  if (found.truncated) text.push(cutNotice(found, query));
  if (found.timedOut) text.push('[The time limit ended the search; there may be more matches. Narrow path, glob or pattern]');
  if (lines.some((line) => line.includes('\ufffd')))
    text.push('[\ufffd can stand for bytes that are not UTF-8; Read shows such a file in its own encoding]');
  if (unreadable > 0) text.push(`[${unreadable} ${unreadable === 1 ? 'path' : 'paths'} could not be read]`);
  return text.join('\n');
}

/** Nothing behind the last page is not nothing at all. */
function emptyNotice({ total }: GrepResult, { offset = 0, mode }: GrepQuery): string {
  if (offset === 0 || total === 0) return 'No matches found';
  const known = total === undefined ? '' : `; there ${total === 1 ? 'is' : 'are'} ${counted(total, mode)}`;
  return `[Nothing past offset ${offset}${known}]`;
}

function cutNotice({ lines, total }: GrepResult, { offset, mode }: GrepQuery): string {
  const next = (offset ?? 0) + lines.length;
  const shown =
    total === undefined ? `${counted(lines.length, mode)} shown, there are more` : `${lines.length} of ${counted(total, mode)} shown`;
  if (mode === 'files_with_matches' || offset !== undefined) return `[${shown}; go on with offset ${next}, or narrow the search]`;
  return `[${shown}; narrow the search, or page in path order from offset 0]`;
}

function counted(number: number, mode: GrepQuery['mode']): string {
  const what = mode === 'files_with_matches' ? 'file' : 'line';
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function metadataOf({ lines, truncated, engine, timedOut, total, unreadable }: GrepResult, { mode }: GrepQuery) {
  return {
    engine,
    mode,
    count: lines.length,
    truncated,
    timedOut,
    ...(total === undefined ? {} : { total }),
    ...(unreadable === undefined ? {} : { unreadable }),
  };
}

function tooSlow(): ToolError {
  return new ToolError('timeout', 'The search reached its time limit before it found a match. Narrow path, glob or type and search again.');
}
