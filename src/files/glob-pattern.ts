import { lstatSync } from 'node:fs';

/** A glob in the form that fast-glob reads. */
export interface GlobPattern {
  readonly patterns: readonly string[];
  readonly exclude: readonly string[];
}

const magic = /[[\](){}!+@|]/;

/**
 * Tidies a pattern: backslashes of a Windows path become slashes, a folder with a slash behind it means all that is in it, a pattern that only
 * excludes means all but that, and brackets that name an existing folder or file, such as `app/[id]/*.ts`, are also taken literally.
 */
export function globPattern(text: string, folder: string): GlobPattern {
  const slashed = isWindowsPath(text) ? text.replaceAll('\\', '/') : text;
  const pattern = slashed.endsWith('/') ? `${slashed}**` : slashed;
  if (/^!(?!\()/.test(pattern)) return { patterns: ['**/*'], exclude: [pattern.slice(1)] };
  const literal = literalBrackets(pattern, folder);
  return { patterns: literal === pattern ? [pattern] : [pattern, literal], exclude: [] };
}

/** No slash at all, and a backslash before something that needs no escape. */
function isWindowsPath(text: string): boolean {
  return !text.includes('/') && /\\[\w.*-]/.test(text);
}

function literalBrackets(pattern: string, folder: string): string {
  let place = pattern.startsWith('/') ? '' : folder;
  const segments = pattern.split('/');
  const written: string[] = [];
  for (const [index, segment] of segments.entries()) {
    if (/[*?\\]/.test(segment)) return [...written, ...segments.slice(index)].join('/');
    place = segment === '' ? place : `${place}/${segment}`;
    written.push(magic.test(segment) && exists(place) ? segment.replaceAll(/[[\](){}!+@|]/g, '\\$&') : segment);
  }
  return written.join('/');
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
