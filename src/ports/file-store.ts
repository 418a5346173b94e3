import type { CallScope } from '../core/context.js';

/** A document as a store keeps it. */
export interface StoredDocument {
  readonly bytes: Uint8Array;
  /** Milliseconds since 1970. */
  readonly mtimeMs: number;
  /** Changes whenever the content does. */
  readonly version: string;
}

/** What a document must be for a change of it, so that nobody's change is lost. */
export interface DocumentCondition {
  /** Its version; null where there must be none yet. Default: whatever is there is replaced. */
  readonly expected?: string | null | undefined;
}

/**
 * Documents by name for whoever asks: what a folder is made of that is no folder on a disk. Names are relative, with
 * `/` between folders.
 */
export interface FileStore {
  read(name: string, scope: CallScope): Promise<StoredDocument | undefined>;
  /**
   * Rejects with `file_changed` where what `read` answers is not what the condition says. A store that cannot tell in
   * one step leaves the condition out of account, and changes of another process at the same moment may be lost.
   */
  write(name: string, bytes: Uint8Array, scope: CallScope, condition?: DocumentCondition): Promise<void>;
  /** False when there was none. */
  remove(name: string, scope: CallScope): Promise<boolean>;
  /** The names of all documents that this caller can read. */
  names(scope: CallScope): Promise<readonly string[]>;
}

/**
 * Whose documents: those of one user of an agent, or of the agent itself where there is no user, or of everybody where
 * there is neither.
 */
export interface DocumentOwner {
  readonly agentId: string | undefined;
  readonly userId: string | undefined;
}

/** A table of documents by owner and name, as a database keeps it. */
export interface DocumentTable {
  get(owner: DocumentOwner, name: string): Promise<StoredDocument | undefined>;
  /** Answers the new version. Rejects with `file_changed` where the document is not what the condition says. */
  put(owner: DocumentOwner, name: string, bytes: Uint8Array, condition?: DocumentCondition): Promise<string>;
  /** False when there was none. Rejects with `file_changed` where it has not the version that is expected. */
  delete(owner: DocumentOwner, name: string, condition?: { readonly expected?: string | undefined }): Promise<boolean>;
  names(owner: DocumentOwner): Promise<readonly string[]>;
}
