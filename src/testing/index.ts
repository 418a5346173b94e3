export { fileSystemConformance } from '../conformance/file-system.js';
export { type HttpClientSubject, httpClientConformance } from '../conformance/http-client.js';
export type { ConformanceCase } from '../conformance/kit.js';
export { type ManagedStoresSubject, managedStoresConformance } from '../conformance/managed-stores.js';
export { type McpClientSubject, mcpClientConformance } from '../conformance/mcp-client.js';
export { type RateLimiterSubject, rateLimiterConformance } from '../conformance/rate-limiter.js';
export { type SandboxSubject, sandboxConformance } from '../conformance/sandbox.js';
export { type SearchProviderSubject, searchProviderConformance } from '../conformance/search-provider.js';
export { type ShellSubject, shellConformance } from '../conformance/shell.js';
export { type SqlClientSubject, sqlClientConformance } from '../conformance/sql-client.js';
export {
  type ConfigStoreSubject,
  configStoreConformance,
  type DeadLettersSubject,
  deadLettersConformance,
  fileStoreConformance,
  fingerprintsConformance,
  suspensionStoreConformance,
  taskBoardConformance,
  todoStoreConformance,
} from '../conformance/stores.js';
export {
  type SubagentSpawnerSubject,
  subagentSpawnerConformance,
} from '../conformance/subagent-spawner.js';
export { type Disk, nodeDisk } from '../files/disk/system-calls.js';
export { isTemporaryName } from '../files/disk/temporary-files.js';
export { callTool, type RecordingContext, toolContext } from './call-tool.js';
export { type FakeApprover, type FakeUser, fakeApprover, fakeUser } from './fake-people.js';
export { type FakeTimers, fakeTimers } from './fake-timers.js';
export {
  type DiskCall,
  deniedFiles,
  type FileOperation,
  type FileRequest,
  faultyDisk,
  faultyFiles,
  fullDisk,
  hangingShell,
  slowFiles,
} from './faults.js';
export { type MemoryFiles, type MemoryFilesOptions, memoryFiles } from './memory-files.js';
export { recordTo } from './record-calls.js';
export { type EventPattern, type RecordedEvents, recordEvents } from './record-events.js';
export type { RecordedCall, RecordedFacts } from './recorded-call.js';
export { type Divergence, type ReplayOptions, replay } from './replay.js';
export type { McpFault } from './scripted-mcp-program.js';
export {
  type ScriptedMcpOptions,
  type ScriptedMcpServer,
  type ScriptedMcpTool,
  scriptedMcpServer,
} from './scripted-mcp-server.js';
export { type ModelAnswer, type ModelTurn, type ScriptedModel, scriptedModel } from './scripted-model.js';
export { type ScriptedOutcome, type ScriptedShell, scriptedShell } from './scripted-shell.js';
export { type StubAnswers, type StubSpawner, stubSpawner } from './stub-spawner.js';
