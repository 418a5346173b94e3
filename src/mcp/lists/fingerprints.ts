import { readFileSync } from 'node:fs';
import { ToolError } from '../../core/error.js';
import { isRecord } from '../../core/support/is-record.js';
import { replaceWhole } from '../../files/disk/replace-whole.js';

/** Of each tool of a server, by name, what it was when it was first offered or last approved. */
export type ServerFingerprints = ReadonlyMap<string, string>;

/** Keeps fingerprints, so that a tool that changes is noticed. */
export interface McpFingerprints {
  get(server: string): ServerFingerprints | undefined | Promise<ServerFingerprints | undefined>;
  set(server: string, prints: ServerFingerprints): void | Promise<void>;
}

/** Keeps fingerprints as long as the process lives. */
export function memoryFingerprints(): McpFingerprints {
  const kept = new Map<string, ServerFingerprints>();
  return {
    get: (server) => kept.get(server),
    set: (server, prints) => void kept.set(server, new Map(prints)),
  };
}

/**
 * Keeps fingerprints in a JSON file (0600) of one process. Throws `storage_failed` for a file that holds something
 * else: what cannot be compared is not offered.
 */
export function fileFingerprints(path: string): McpFingerprints {
  const read = () => new Map(told(path, () => entriesOf(path)));
  return {
    get: (server) => read().get(server),
    set: (server, prints) => {
      const kept = read().set(server, prints);
      told(path, () => replaceWhole(path, JSON.stringify([...kept].map(([name, one]) => [name, [...one]]))));
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

function told<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError('storage_failed', `Fingerprints of MCP tools cannot be kept in ${path}: ${reason}`, { cause });
  }
}
