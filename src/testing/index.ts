export { type MemoryFiles, type MemoryFilesOptions, memoryFiles } from './memory-files.js';
export { type RecordingContext, toolContext } from './tool-context.js';
