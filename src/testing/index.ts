export { type Disk, nodeDisk } from '../files/disk/disk.js';
export { isTemporaryName } from '../files/disk/temporary-name.js';
export { fileSystemConformance } from './conformance/file-system-conformance.js';
export { type DiskCall, faultyDisk } from './faulty-disk.js';
export { type FileOperation, type FileRequest, faultyFiles } from './faulty-files.js';
export { type MemoryFiles, type MemoryFilesOptions, memoryFiles } from './memory-files.js';
export { type RecordingContext, toolContext } from './tool-context.js';
