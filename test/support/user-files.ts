import type { FileSystem } from '../../src/ports/file-system.js';
import { callScope } from './call-scope.js';

/** A scope of agent `a` and the given user, if any. */
export const scopeOf = (userId?: string) =>
  callScope({ caller: { sessionId: 's', agentId: 'a', ...(userId === undefined ? {} : { userId }) } });

/** Writes a text. */
export async function write(files: FileSystem, path: string, text: string, scope = scopeOf('u1')): Promise<void> {
  await files.update(path, () => ({ slices: [Buffer.from(text)] }), scope);
}

/** The text of a file, or undefined. */
export async function read(files: FileSystem, path: string, scope = scopeOf('u1')): Promise<string | undefined> {
  if ((await files.stat(path, scope)) === undefined) return undefined;
  const file = await files.open(path, scope);
  const buffer = Buffer.alloc(1_000);
  const count = await file.read(buffer, 0);
  await file.close();
  return buffer.toString('utf8', 0, count);
}
