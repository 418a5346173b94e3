export type { AuditEntry, AuditLog, AuditPage, NewAuditEntry } from '../ports/audit-log.js';
export type {
  CustomToolDefinition,
  CustomToolStore,
  PutCustomTool,
  StoredCustomTool,
} from '../ports/custom-tool-store.js';
export type { SharedDeadLetters } from '../ports/dead-letters.js';
export type {
  AccessibleMcpServer,
  ListPage,
  McpAccessRequest,
  McpAgentGrant,
  McpConfigOverrides,
  McpGrant,
  McpGrantScope,
  McpGrantStore,
  McpServerDefinition,
  NewMcpAccessRequest,
  StoredMcpConfig,
  StoredMcpGrant,
  StoredMcpServer,
} from '../ports/mcp-grant-store.js';
export type { SqlClient, SqlQueries, SqlRow, SqlValue } from '../ports/sql-client.js';
export { type AdminApi, type AdminApiOptions, type AdminIdentity, adminApi, bearerTokens } from './admin-api.js';
export { type ChangeBus, changeBus, memoryBus } from './change-bus.js';
export { type MemoryIndexOptions, memoryIndex } from './create-memory-index.js';
export { customTool } from './custom-tool.js';
export { type CustomTools, type CustomToolsOptions, customTools } from './custom-tools.js';
export { type ManagedFilesOptions, managedFiles } from './file-mounts.js';
export { fromPg, type PgConnection, type PgPool } from './from-pg.js';
export { fromPglite, type PgliteDatabase } from './from-pglite.js';
export { memoryStores } from './in-memory-stores.js';
export { type LeasedSpawnerParts, leasedSpawner, takeOverSubagents } from './leased-spawner.js';
export { type LoadedMcpServers, type LoadForAgentParts, loadForAgent } from './load-mcp-servers.js';
export type { Embedder, MemoryHit, MemoryIndex, MemoryQuery } from './memory-search.js';
export { memoryTools } from './memory-tools.js';
export { type MigrateResult, migrate } from './migrate.js';
export { type OpenAiEmbedderOptions, openAiEmbedder } from './open-ai-embedder.js';
export { type AesGcmBoxOptions, aesGcmBox, type SecretBox } from './secret-box.js';
export { type ServeAdminOptions, serveAdmin } from './serve-admin.js';
export { type RedisClient, type SharedRateLimiterOptions, sharedRateLimiter } from './shared-rate-limiter.js';
export type { DriverQueries } from './sql-driver.js';
export {
  type AdministeredStores,
  type ManagedStores,
  type ManagedStoresOptions,
  managedStores,
} from './stores.js';
export type { LeasedEnd } from './subagent-lease.js';
export { type SubagentLeases, type SubagentLeasesOptions, subagentLeases } from './subagent-lease-store.js';
