export { type DescribeOptions, describeFromFile } from './custom/describe-from-file.js';
export { type HostFiles, type HostFilesOptions, hostFiles } from './files/host-files.js';
export type { FileMount } from './files/mounted-files.js';
export { type PdfPackage, pdfDocuments } from './files/read/pdf-documents.js';
export { type SharpPackage, sharpImages } from './files/read/sharp-images.js';
export { type AgentKind, contextStore } from './files/store/context-store.js';
export { MemoryDocuments } from './files/store/memory-documents.js';
export { isMemoryName, type MemoryListener, memoryStore } from './files/store/memory-store.js';
export { StoreFiles, type StoreFilesOptions } from './files/store/store-files.js';
export type { FileChange } from './files/undo/file-change.js';
export type { DocumentPages, DocumentReader, PageRange } from './host/documents.js';
export type { DocumentOwner, DocumentTable, FileStore, StoredDocument } from './host/file-store.js';
export type {
  CurrentFile,
  FileStat,
  FileUpdate,
  GlobQuery,
  GlobResult,
  GrepQuery,
  GrepResult,
  NewContent,
  OpenFile,
} from './host/file-system.js';
export type { ImageBounds, ImageResizer, StoredImage } from './host/images.js';
export { ReadLedger, type SeenFile } from './state/read-ledger.js';
export { type SyntaxChecker, syntaxChecker } from './tools/content/syntax-check.js';
