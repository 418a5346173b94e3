import type { DocumentCondition, DocumentOwner, DocumentTable, StoredDocument } from '../../ports/file-store.js';
import { changedMeanwhile } from '../disk/replace-file.js';

/** A table of documents in memory. */
export class MemoryDocuments implements DocumentTable {
  readonly #owners = new Map<string, Map<string, StoredDocument>>();
  readonly #now: () => number;
  #changes = 0;

  /** `now` returns the time of a change, in milliseconds since 1970. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  async get(owner: DocumentOwner, name: string): Promise<StoredDocument | undefined> {
    return this.#owners.get(keyOf(owner))?.get(name);
  }

  async put(
    owner: DocumentOwner,
    name: string,
    bytes: Uint8Array,
    { expected }: DocumentCondition = {},
  ): Promise<string> {
    const documents = this.#owners.get(keyOf(owner)) ?? new Map<string, StoredDocument>();
    if (expected !== undefined && (documents.get(name)?.version ?? null) !== expected) throw changedMeanwhile(name);
    this.#owners.set(keyOf(owner), documents);
    const version = `d${++this.#changes}`;
    documents.set(name, { bytes: Buffer.from(bytes), mtimeMs: this.#now(), version });
    return version;
  }

  async delete(
    owner: DocumentOwner,
    name: string,
    { expected }: { readonly expected?: string | undefined } = {},
  ): Promise<boolean> {
    const documents = this.#owners.get(keyOf(owner));
    const version = documents?.get(name)?.version;
    if (version !== undefined && expected !== undefined && version !== expected) throw changedMeanwhile(name);
    return documents?.delete(name) ?? false;
  }

  async names(owner: DocumentOwner): Promise<readonly string[]> {
    return [...(this.#owners.get(keyOf(owner))?.keys() ?? [])].sort();
  }
}

function keyOf({ agentId, userId }: DocumentOwner): string {
  return JSON.stringify([agentId ?? null, userId ?? null]);
}
