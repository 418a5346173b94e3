import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import { assertOptions, having, kindOf, type OptionKinds } from '../core/support/check-values.js';
import type { FileMount } from '../files/mounts/mounted-files.js';
import {
  type AgentKind,
  contextFileNames,
  contextStore,
  isMemoryName,
  memoryStore,
} from '../files/store/context-and-memory.js';
import { StoreFiles } from '../files/store/file-system.js';
import type { DocumentTable, FileStore } from '../ports/file-store.js';
import type { MemoryIndex } from './memory/search.js';

/** Options of {@link managedFiles}. */
export interface ManagedFilesOptions {
  /** The stores that `managedStores` or `memoryStores` returns. */
  readonly stores: { readonly contextFiles: DocumentTable; readonly memory: DocumentTable };
  /** How the context files of an agent are shared; `agentId` is undefined for the main agent. */
  readonly kindOf: (agentId: string | undefined) => AgentKind;
  /** Notified of each Markdown document of memory that is written or removed. Default none. */
  readonly index?: MemoryIndex | undefined;
}

const optionKinds: OptionKinds<ManagedFilesOptions> = {
  stores: kindOf.record,
  kindOf: kindOf.callback,
  index: having('a memory index', 'put', 'remove', 'search'),
};

/**
 * The `mounts` of a toolkit that keeps context files (`SOUL.md`, `USER.md`, …, at the root) and memory (`MEMORY.md`,
 * `memory.md`, `memory/`) in stores, for each user and agent. Shell commands do not see these files. Throws a TypeError
 * for invalid options.
 */
export function managedFiles(options: ManagedFilesOptions): readonly FileMount[] {
  assertOptions('managedFiles', options, optionKinds, 'stores', 'kindOf');
  const { stores, index } = options;
  const kindOfCaller = ({ caller: { agentId } }: CallScope): AgentKind => {
    const kind: unknown = options.kindOf(agentId);
    if (kind === 'open' || kind === 'predefined') return kind;
    throw new TypeError(`managedFiles: kindOf must return 'open' or 'predefined', not ${JSON.stringify(kind)}`);
  };
  const context = contextStore(stores.contextFiles, kindOfCaller);
  const memory = memoryStore(stores.memory, (name, text, scope) => index?.put(name, text, scope));
  const forgetting = {
    ...memory,
    remove: async (name: string, scope: CallScope) => {
      const isGone = await memory.remove(name, scope);
      // After a failure, the index finds the removed document until the next update of the index.
      if (isGone) await index?.remove(name, scope).catch(() => {});
      return isGone;
    },
  };
  return [
    mountOf(context, (name) => contextFileNames.find((one) => one.toLowerCase() === name.toLowerCase())),
    mountOf(forgetting, memoryName),
  ];
}

/** The canonical form of a memory file name, for any letter case. */
function memoryName(name: string): string | undefined {
  if (isMemoryName(name)) return name;
  const plain = name.replace(/^memory(?=\/|$)/i, 'memory');
  if (isMemoryName(plain)) return plain;
  return /^memory\.md$/i.test(name) ? 'MEMORY.md' : undefined;
}

/** A mount that claims a name in every letter case. On a case-insensitive disk, all variants are the same file. */
function mountOf(store: FileStore, nameOf: (name: string) => string | undefined): FileMount {
  const exact = (name: string): string => {
    const known = nameOf(name);
    if (known === name || known === undefined) return name;
    throw new ToolError('invalid_input', `${name} is called ${known} here. Use that name.`);
  };
  const exactly: FileStore = {
    read: async (name, scope) => await store.read(exact(name), scope),
    write: async (name, bytes, scope, condition) => await store.write(exact(name), bytes, scope, condition),
    remove: async (name, scope) => await store.remove(exact(name), scope),
    names: (scope) => store.names(scope),
  };
  return {
    path: '.',
    files: (root) => new StoreFiles({ root, store: exactly }),
    claims: (name) => nameOf(name) !== undefined,
  };
}
