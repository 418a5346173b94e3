// Node makes these from many others when they are first imported, which would be a tenth of what an import of this package takes.

/** Node's cryptography, loaded on first use. */
export function nodeCrypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}

/** Node's threads, loaded on first use. */
export function nodeThreads(): typeof import('node:worker_threads') {
  return process.getBuiltinModule('node:worker_threads');
}

/** Node's child processes, loaded on first use. */
export function nodeProcesses(): typeof import('node:child_process') {
  return process.getBuiltinModule('node:child_process');
}

/** Node's compression and checksums, loaded on first use. */
export function nodeZlib(): typeof import('node:zlib') {
  return process.getBuiltinModule('node:zlib');
}
