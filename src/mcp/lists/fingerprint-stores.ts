import { kindOf } from '../../core/support/check-values.js';
import { jsonFile } from '../../files/disk/json-file.js';

/** For each tool of a server, a hash of its definition when it was first offered or last approved. */
export type ServerFingerprints = ReadonlyMap<string, string>;

/** Keeps fingerprints to detect tools that change after their approval ("rug pull"). */
export interface McpFingerprints {
  get(server: string): ServerFingerprints | undefined | Promise<ServerFingerprints | undefined>;
  /**
   * Stores the fingerprints of a server. `before` are the fingerprints that the caller has read. If they are given,
   * only the entries that differ from `before` are written, so that approvals by other processes stay.
   */
  set(server: string, prints: ServerFingerprints, before?: ServerFingerprints): void | Promise<void>;
}

/** Keeps fingerprints in memory. */
export function memoryFingerprints(): McpFingerprints {
  const kept = new Map<string, ServerFingerprints>();
  return {
    get: (server) => kept.get(server),
    set: (server, prints, before) => void kept.set(server, merged(kept.get(server), prints, before)),
  };
}

/** An entry for each server, with its name and its tools; each tool is a pair of name and hash. */
type Stored = readonly (readonly [string, readonly (readonly [string, string])[]])[];

/**
 * Keeps fingerprints in a JSON file (mode 0600), which several processes can share. Throws `storage_failed` for an
 * invalid file, so that tools are not offered while their fingerprints cannot be compared.
 */
export function fileFingerprints(path: string): McpFingerprints {
  const file = jsonFile(path, storedOf);
  return {
    get: (server) => {
      const prints = new Map(file.read()).get(server);
      return prints && new Map(prints);
    },
    set: (server, prints, before) =>
      file.change((kept) => {
        const servers = new Map(kept);
        const stored = servers.get(server);
        servers.set(server, [...merged(stored && new Map(stored), prints, before)]);
        return { content: [...servers], result: undefined };
      }),
  };
}

function merged(
  stored: ServerFingerprints | undefined,
  prints: ServerFingerprints,
  before: ServerFingerprints | undefined,
): ServerFingerprints {
  if (stored === undefined || before === undefined) return new Map(prints);
  return new Map([...stored, ...[...prints].filter(([tool, print]) => before.get(tool) !== print)]);
}

function storedOf(json: unknown): Stored {
  const servers = json === undefined ? [] : (json as Stored);
  const isValid = servers.every(([, prints]) => prints.every(kindOf.texts.holds));
  if (!isValid) throw new Error('it contains something other than fingerprints');
  return servers.map(([name, prints]) => [name, [...new Map(prints)]]);
}
