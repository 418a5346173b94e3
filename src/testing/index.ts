export { isTemporaryName } from '../files/temporary-name.js';
export { type FileRequest, faultyFiles } from './faulty-files.js';
export { fileSystemConformance } from './file-system-conformance.js';
export { type MemoryFiles, type MemoryFilesOptions, memoryFiles } from './memory-files.js';
export { type RecordingContext, toolContext } from './tool-context.js';
