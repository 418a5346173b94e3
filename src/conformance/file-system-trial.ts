import { strict as assert } from 'node:assert';
import type { CallScope } from '../core/context.js';
import { ToolError, type ToolErrorCode } from '../core/error.js';
import type { FileSystem, GrepQuery } from '../ports/file-system.js';

/** A file system with helpers for the cases. */
export interface Trial {
  readonly files: FileSystem;
  /** The absolute path of a name below the root. */
  at(name: string): string;
  put(name: string, content: string | Uint8Array): Promise<void>;
  text(name: string): Promise<string>;
  readonly scope: CallScope;
}

/** The default query of the cases. */
export const plainQuery: GrepQuery = {
  pattern: '',
  mode: 'content',
  before: 0,
  after: 0,
  lineNumbers: true,
  ignoreCase: false,
  onlyMatching: false,
  multiline: false,
  limit: 100,
};

/** Wraps a file system for one case. */
export function trial(files: FileSystem, scope: CallScope): Trial {
  const at = (name: string) => `${files.root}/${name}`;
  return {
    files,
    at,
    scope,
    async put(name, content) {
      await files.update(at(name), () => ({ slices: [Buffer.from(content as Uint8Array)] }), scope);
    },
    async text(name) {
      const file = await files.open(at(name), scope);
      const buffer = Buffer.alloc(10_000);
      const count = await file.read(buffer, 0);
      await file.close();
      return buffer.toString('utf8', 0, count);
    },
  };
}

/** Every method that accepts a path. */
export function pathMethods(files: FileSystem, scope: CallScope): ((path: string) => Promise<unknown>)[] {
  return [
    (path) => files.resolve(path, scope),
    (path) => files.stat(path, scope),
    (path) => files.open(path, scope),
    (path) => files.update(path, () => ({ slices: [Buffer.from('escaped')] }), scope),
    (path) => files.remove(path, scope),
    (path) => files.list(path, scope),
    (path) => files.glob({ pattern: '*', path, maxFiles: 1 }, scope),
    (path) => files.grep({ ...plainQuery, pattern: 'x', path }, scope),
  ];
}

/** Expects that a promise or function fails with a ToolError, and with `code` if given. Returns the error. */
export async function refuses(work: Promise<unknown> | (() => unknown), code?: ToolErrorCode): Promise<ToolError> {
  const settled = (async () => await (typeof work === 'function' ? work() : work))();
  const thrown = await settled.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(ToolError.is(thrown), `a ToolError must be thrown, not ${String(thrown)}`);
  if (code !== undefined) assert.equal(thrown.code, code);
  return thrown;
}
