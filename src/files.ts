export { type HostFiles, type HostFilesOptions, hostFiles } from './files/host-files.js';
export { type PdfPackage, pdfDocuments } from './files/media/pdf-documents.js';
export { type SharpPackage, sharpImages } from './files/media/sharp-images.js';
export type { FileMount } from './files/mounts/mounted-files.js';
export {
  type AgentKind,
  contextStore,
  isMemoryName,
  type MemoryListener,
  memoryStore,
} from './files/store/context-and-memory.js';
export { StoreFiles, type StoreFilesOptions } from './files/store/file-system.js';
export { MemoryDocuments } from './files/store/in-memory-documents.js';
export type { FileChange } from './files/undo/file-change.js';
export type * from './ports/document-reader.js';
export type * from './ports/file-store.js';
export type * from './ports/file-system.js';
export type * from './ports/image-resizer.js';
export { ReadLedger, type SeenFile } from './sessions/read-ledger.js';
export { type SyntaxChecker, syntaxChecker } from './tools/content/syntax-check.js';
export { type DescribeOptions, describeFromFile } from './tools/describe-from-file.js';
