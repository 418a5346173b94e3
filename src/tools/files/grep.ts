import type { output } from 'zod/v4/core';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { choice, flag, inputObject, integer, optional, text } from '../../core/schema/fields.js';
import { once } from '../../core/support/once.js';
import type { Scrub } from '../../core/text/scrub-excerpt.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import type { FileSystem, GrepQuery, GrepResult } from '../../ports/file-system.js';
import { scrubCredentials } from '../../secrets/scrubber.js';
import { dependenciesOf } from '../support/factory-arguments.js';
import { inOneLine, searchAdvice, unreadableNotice } from '../support/search-output.js';
import { pathFacts } from './path-facts.js';

const inputOf = ({ headLimit }: Limits['grep']) =>
  inputObject({
    pattern: text('ripgrep syntax; escape literal braces', { minLength: 1 }),
    path: optional(text('Default: the root', { minLength: 1 })),
    glob: optional(text('Such as "*.{ts,tsx}"', { minLength: 1 })),
    type: optional(text(undefined, { minLength: 1 })),
    output_mode: optional(choice(['files_with_matches', 'content', 'count'], 'Default files_with_matches')),
    '-A': optional(integer(undefined, { minimum: 0 })),
    '-B': optional(integer(undefined, { minimum: 0 })),
    '-C': optional(integer(undefined, { minimum: 0 })),
    context: optional(integer(undefined, { minimum: 0 })),
    '-n': optional(flag('Default true')),
    '-i': optional(flag()),
    '-o': optional(flag()),
    multiline: optional(flag()),
    head_limit: optional(integer(`Default ${headLimit}, 0 for all`, { minimum: 0 })),
    offset: optional(integer('Skips results', { minimum: 0 })),
  });

type GrepInput = output<ReturnType<typeof inputOf>>;

const unsearched =
  'could not be searched: no permission, a system error, a name that is not UTF-8, or a line or file that is too ' +
  'long for the pattern in the JavaScript engine. ripgrep searches long lines and files: install the package ' +
  '@vscode/ripgrep, or put rg on the PATH';

/** The dependencies of Grep. */
export interface GrepDependencies {
  readonly files: FileSystem;
  readonly limits: Limits['grep'];
  /**
   * Scrubs the edges of a shown part, where a credential may be cut; `false` for no scrubbing. Default:
   * `scrubCredentials`.
   */
  readonly scrub?: Scrub | false | undefined;
  /** Formats a line that begins with a path. Default: unchanged, with an absolute path. */
  readonly shown?: ((line: string) => string) | undefined;
}

/** Searches file contents. */
export function grepTool(dependencies: GrepDependencies): Tool<GrepInput> {
  const {
    files,
    limits,
    scrub = scrubCredentials,
    shown = String,
  } = dependenciesOf('grepTool', dependencies, 'files', 'limits');
  const facts = pathFacts(files);
  const wholeLines = once(() => import('./grep-scrubbed.js'));
  return Tool.define('Grep', {
    description:
      'Search file contents. Shows matching files (newest first), lines or counts. Leaves out git-ignored files.',
    input: inputOf(limits),
    examples: [{ pattern: 'TODO\\(\\w+\\)', glob: '*.ts', output_mode: 'content' }],
    sideEffect: 'none',
    title: ({ pattern, path }) => `Grep "${pattern}"${path === undefined ? '' : ` in ${facts.display(path)}`}`,
    advice: () => searchAdvice,
    targets: ({ path }) => facts.reads(path ?? files.root),
    async execute(values, context): Promise<ToolResult> {
      const query = queryOf(values, limits);
      const whole =
        scrub === false || query.mode !== 'content'
          ? undefined
          : await (await wholeLines()).grepWhole(dependencies, scrub, query, context);
      const found = whole?.found ?? (await files.grep(query, context));
      const { lines } = whole ?? found;
      if (found.timedOut && found.lines.length === 0) throw tooSlow();
      const { engine, truncated, timedOut, total, unreadable } = found;
      const metadata = { engine, mode: query.mode, count: found.lines.length, truncated, timedOut, total, unreadable };
      return { output: describe(found, lines, query, shown), metadata };
    },
  });
}

function queryOf(values: GrepInput, limits: Limits['grep']): GrepQuery {
  const around = values.context ?? values['-C'] ?? 0;
  const limit = values.head_limit ?? limits.headLimit;
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
    limits,
  };
}

function describe(
  found: GrepResult,
  lines: readonly string[],
  query: GrepQuery,
  shown: (line: string) => string,
): string {
  const { unreadable = 0 } = found;
  const text = lines.length === 0 ? [emptyNotice(found, query)] : printed(lines, found, query).map(shown);
  if (found.truncated) text.push(cutNotice(found, query));
  if (found.timedOut)
    text.push('[The time limit ended the search; there may be more matches. Narrow path, glob or pattern]');
  if (lines.some((line) => line.includes('\ufffd')))
    text.push('[\ufffd can stand for bytes that are not UTF-8; Read shows such a file in its own encoding]');
  text.push(...unreadableNotice(unreadable, found.engine === 'javascript' ? unsearched : undefined));
  return text.join('\n');
}

/** The lines without the carriage return of CRLF; a path with a line break is quoted. */
function printed(lines: readonly string[], { files = [] }: GrepResult, { mode }: GrepQuery): string[] {
  if (mode === 'files_with_matches') return lines.map(inOneLine);
  const broken = files.map(({ path }) => path).filter((path) => inOneLine(path) !== path);
  return lines.map((line) => {
    const path = broken.find((name) => line.startsWith(name)) ?? '';
    return inOneLine(path) + (line.endsWith('\r') ? line.slice(path.length, -1) : line.slice(path.length));
  });
}

/** A page after the last result is empty although there are matches, so the notice says how many matches there are. */
function emptyNotice({ total }: GrepResult, { offset = 0, mode }: GrepQuery): string {
  if (offset === 0 || total === 0) return 'No matches found';
  const known = total === undefined ? '' : `; there ${total === 1 ? 'is' : 'are'} ${counted(total, mode)}`;
  return `[Nothing past offset ${offset}${known}]`;
}

function cutNotice({ lines, total }: GrepResult, { offset, mode }: GrepQuery): string {
  const next = (offset ?? 0) + lines.length;
  const shown =
    total === undefined
      ? `${counted(lines.length, mode)} shown, there are more`
      : `${lines.length} of ${counted(total, mode)} shown`;
  if (mode === 'files_with_matches' || offset !== undefined)
    return `[${shown}; go on with offset ${next}, or narrow the search]`;
  return `[${shown}; narrow the search, or set offset 0 to page through it in path order]`;
}

function counted(number: number, mode: GrepQuery['mode']): string {
  const what = mode === 'files_with_matches' ? 'file' : 'line';
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function tooSlow(): ToolError {
  return new ToolError(
    'timeout',
    'The search reached its time limit before it found a match. Narrow path, glob or type and search again.',
  );
}
