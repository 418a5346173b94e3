import { join, posix, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ToolError } from '../../core/error.js';
import { ifPossible } from '../../core/support/check-values.js';

/** How a path is parsed. */
export interface PathForm {
  readonly root: string;
  /** Whether a relative path is refused, with the absolute path as a hint, or resolved against the root. */
  readonly relativePaths: 'reject' | 'resolve';
  /** The system whose rules apply; Windows accepts `C:\x`, `C:/x` and `/c/x`. */
  readonly platform: NodeJS.Platform;
  /** Whether an error may suggest a path: true for existing paths. Default: any. */
  readonly mayBeSuggested?: (path: string) => boolean;
  /** Whether the path may name a new file: then only the folder of a suggestion must exist. */
  readonly isNew?: boolean;
}

const maxPathBytes = 4_095;
const maxNameBytes = 255;
const maxStarts = 100;
const partStart = /(?<![\p{L}\p{N}._-])[\p{L}\p{N}._/-]/gu;
const partEnd = /[^\p{L}\p{N}._-]+$/u;

/** The absolute form of a path, without resolving links. Throws `invalid_input` and `path_not_absolute`. */
export function absolutePath(path: string, form: PathForm): string {
  if (path === '') throw new ToolError('invalid_input', 'The path is empty; pass an absolute path.');
  if (path.includes('\0'))
    throw new ToolError('invalid_input', 'The path contains a NUL character; pass the path without it.');
  if (!path.isWellFormed())
    throw new ToolError('invalid_input', 'The path contains half a Unicode character; pass the path without it.');
  refuseNonPaths(path, form);
  const absolute = form.platform === 'win32' ? windowsPath(path, form) : posixPath(path, form);
  refuseOverLong(absolute);
  return absolute;
}

/** Throws `not_a_file` for a path that can only name a folder: one whose last segment is empty, `.` or `..`. */
export function refuseFolderPath(path: string, platform: NodeJS.Platform = process.platform): void {
  if (!(platform === 'win32' ? /(?:^|[\\/])\.{0,2}$/ : /(?:^|\/)\.{0,2}$/).test(path)) return;
  throw new ToolError('not_a_file', `This path names a folder: ${path}. Name a file.`);
}

function posixPath(path: string, form: PathForm): string {
  // On this system a Windows path would be one file name with colons and backslashes. Another program could read the
  // backslashes as separators and leave the root.
  if (/^[A-Za-z]:[\\/]|^\\\\|\\\.\.(?:[\\/]|$)|(?:^|[\\/])\.\.\\/.test(path)) {
    throw new ToolError(
      'path_not_absolute',
      `This is a Windows path, and this is not Windows: ${path}. Use / between folders.`,
    );
  }
  if (path.startsWith('/')) return path;
  return relative(path, join(form.root, path), form);
}

function windowsPath(path: string, form: PathForm): string {
  const slashed = path.replaceAll('/', '\\');
  const drive = /^\\([A-Za-z])(?:\\|$)/.exec(slashed);
  const full = drive === null ? slashed : `${drive[1]?.toUpperCase()}:\\${slashed.slice(3)}`;
  if (full.startsWith('\\\\'))
    throw new ToolError('path_outside_root', `Network and device paths are not allowed: ${path}.`);
  if (/^[A-Za-z]:\\/.test(full)) return win32.normalize(refuseReservedNames(full, path));
  if (/^[A-Za-z]:/.test(full) || full.startsWith('\\')) {
    throw new ToolError('path_not_absolute', `The path must name its drive and start at its root: ${path}.`);
  }
  return relative(path, win32.join(form.root, refuseReservedNames(full, path)), form);
}

// For a stream (a:b), a device name, or a name that ends with a dot or a space, Windows opens another file than the
// name says.
function refuseReservedNames(full: string, path: string): string {
  const names = full.replace(/^[A-Za-z]:/, '').split('\\');
  const reserved = names.find(
    (name) =>
      name.includes(':') ||
      /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name) ||
      (/[. ]$/.test(name) && !/^\.\.?$/.test(name)),
  );
  if (reserved !== undefined)
    throw new ToolError(
      'not_a_file',
      `Windows does not allow ${JSON.stringify(reserved)} as the name of a file: ${path}. Use another name.`,
    );
  return full;
}

function relative(path: string, joined: string, form: PathForm): string {
  if (path === '~' || path.startsWith('~/')) {
    throw new ToolError('path_not_absolute', `~ is not expanded: ${path}. ${absoluteStep(form.root)}`);
  }
  if (form.relativePaths === 'resolve') return joined;
  const suggestion = suggestedPath(path, form);
  const step = suggestion === undefined ? absoluteStep(form.root) : `Did you mean ${suggestion}?`;
  throw new ToolError('path_not_absolute', `The path must be absolute: ${path}. ${step}`);
}

const absoluteStep = (root: string) => `Write the absolute path; the workspace is ${root}.`;

/** The longest part of a text that is an existing path, or a new file in an existing folder: `a.ts` in `(a.ts)`. */
function suggestedPath(text: string, { root, platform, mayBeSuggested, isNew = false }: PathForm): string | undefined {
  const { resolve, dirname } = platform === 'win32' ? win32 : posix;
  const parts = [text.trim()];
  for (const { index } of [...text.matchAll(partStart)].slice(0, maxStarts)) {
    if (isNew && /[\\/]/.test(text.slice(0, index))) break;
    parts.push(text.slice(index).replace(partEnd, ''), text.slice(index));
  }
  return parts
    .map((part) => resolve(root, part))
    .find((suggestion) => mayBeSuggested === undefined || mayBeSuggested(isNew ? dirname(suggestion) : suggestion));
}

/** Throws for a URL, an alias, a variable or a path in quotes: joined to the root, it would name a new file. */
function refuseNonPaths(path: string, { root, platform }: PathForm): void {
  const [, , quoted = path] = /^(["'`“‘«„])(.+)(?:\1|[”’»“‘])$/s.exec(path) ?? [];
  const refusal = (what: string, step: string) => new ToolError('path_not_absolute', `${what}: ${path}. ${step}`);
  if (quoted.startsWith('@/')) throw refusal('@/ is an alias of a build tool', absoluteStep(root));
  if (/^file:\//i.test(quoted)) {
    const suggestion = ifPossible(() => fileURLToPath(quoted, { windows: platform === 'win32' }));
    throw refusal(
      'This is a URL',
      suggestion === undefined ? 'Write an absolute path.' : `Write the path: ${suggestion}`,
    );
  }
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(quoted)) throw refusal('This is a URL', 'Write an absolute path.');
  if (/^(?:<.*>$|\$(?:\{\w+\}|\w+)\/)/.test(path))
    throw refusal('Brackets and variables are not expanded', absoluteStep(root));
  if (quoted !== path) throw refusal('The path is in quotes', `Write it without them: ${quoted}`);
}

function refuseOverLong(path: string): void {
  if (Buffer.byteLength(path) > maxPathBytes) {
    throw new ToolError('invalid_input', `The path is longer than ${maxPathBytes} bytes; pass a shorter one.`);
  }
  const long = path.split(/[\\/]/).find((name) => Buffer.byteLength(name) > maxNameBytes);
  if (long === undefined) return;
  throw new ToolError(
    'invalid_input',
    `A name in the path is longer than ${maxNameBytes} bytes: ${long.slice(0, 40)}…; pass a shorter one.`,
  );
}
