import { readFileSync } from 'node:fs';
import { ToolError } from '../../core/error.js';
import { isRecord } from '../../core/support/is-record.js';
import { replaceWhole } from '../../files/disk/replace-whole.js';

/** For each tool of a server, a hash of its definition when it was first offered or last approved. */
export type ServerFingerprints = ReadonlyMap<string, string>;

/** Keeps fingerprints to detect tools that change after their approval ("rug pull"). */
export interface McpFingerprints {
  get(server: string): ServerFingerprints | undefined | Promise<ServerFingerprints | undefined>;
  set(server: string, prints: ServerFingerprints): void | Promise<void>;
}

/** Keeps fingerprints in memory. */
export function memoryFingerprints(): McpFingerprints {
  const kept = new Map<string, ServerFingerprints>();
  return {
    get: (server) => kept.get(server),
    set: (server, prints) => void kept.set(server, new Map(prints)),
  };
}

/**
 * Keeps fingerprints in a JSON file (mode 0600), which only one process may use at a time. Throws `storage_failed` for
 * an invalid file, so that tools are not offered while their fingerprints cannot be compared.
 */
export function fileFingerprints(path: string): McpFingerprints {
  const read = () => new Map(withStorageError(path, () => entriesOf(path)));
  return {
    get: (server) => read().get(server),
    set: (server, prints) => {
      const kept = read().set(server, prints);
      withStorageError(path, () =>
        replaceWhole(path, JSON.stringify([...kept].map(([name, one]) => [name, [...one]]))),
      );
    },
  };
}

function entriesOf(path: string): (readonly [string, ServerFingerprints])[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (thrown) {
    if (isRecord(thrown) && thrown.code === 'ENOENT') return [];
    throw thrown;
  }
  const kept = JSON.parse(text) as readonly (readonly [string, readonly (readonly [string, string])[]])[];
  return kept.map(([name, prints]) => [name, new Map(prints)] as const);
}

function withStorageError<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError('storage_failed', `Fingerprints of MCP tools cannot be kept in ${path}: ${reason}`, { cause });
  }
}
