export { type CommandBackend, type CommandBackendOptions, commandBackend } from './command-backend.js';
export type { RemoteRun } from './run-line.js';
