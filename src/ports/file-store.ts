import type { CallScope } from '../core/context.js';

/** A stored document. */
export interface StoredDocument {
  readonly bytes: Uint8Array;
  /** Milliseconds since 1970. */
  readonly mtimeMs: number;
  /** Changes whenever the content changes. */
  readonly version: string;
}

/** A condition for changing a document, so that no change of another writer is lost. */
export interface DocumentCondition {
  /** The required current version; null if there must be no document yet. Default: any document is replaced. */
  readonly expected?: string | null | undefined;
}

/** Documents by name for a caller: the content of a virtual folder. Names are relative, with `/` between folders. */
export interface FileStore {
  read(name: string, scope: CallScope): Promise<StoredDocument | undefined>;
  /**
   * Rejects with `file_changed` if the condition is not met. A store that cannot check and write atomically ignores the
   * condition, and a simultaneous change of another process may be lost (TOCTOU).
   */
  write(name: string, bytes: Uint8Array, scope: CallScope, condition?: DocumentCondition): Promise<void>;
  /** Resolves with false if there was no such document. */
  remove(name: string, scope: CallScope): Promise<boolean>;
  /** The names of all documents that this caller can read. */
  names(scope: CallScope): Promise<readonly string[]>;
}

/** A user of an agent; without `userId` the agent itself; without both, all agents and users together. */
export interface DocumentOwner {
  readonly agentId: string | undefined;
  readonly userId: string | undefined;
}

/** A table of documents by owner and name. */
export interface DocumentTable {
  get(owner: DocumentOwner, name: string): Promise<StoredDocument | undefined>;
  /** Resolves with the new version. Rejects with `file_changed` if the document does not meet the condition. */
  put(owner: DocumentOwner, name: string, bytes: Uint8Array, condition?: DocumentCondition): Promise<string>;
  /** False if there was no such document. Rejects with `file_changed` if another version was expected. */
  delete(owner: DocumentOwner, name: string, condition?: { readonly expected?: string | undefined }): Promise<boolean>;
  names(owner: DocumentOwner): Promise<readonly string[]>;
}
