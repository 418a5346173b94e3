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
export { type AdminApi, type AdminApiOptions, type AdminIdentity, adminApi, bearerTokens } from './admin/http-api.js';
export { type ServeAdminOptions, serveAdmin } from './admin/serve.js';
export { customTool } from './custom-tools/define-tool.js';
export { type CustomTools, type CustomToolsOptions, customTools } from './custom-tools/service.js';
export { type ChangeBus, changeBus, memoryBus } from './database/change-bus.js';
export type { DriverQueries } from './database/driver-queries.js';
export { fromPg, type PgConnection, type PgPool } from './database/from-pg.js';
export { fromPglite, type PgliteDatabase } from './database/from-pglite.js';
export { type MigrateResult, migrate } from './database/migrate.js';
export { type AesGcmBoxOptions, aesGcmBox, type SecretBox } from './database/secret-box.js';
export { type ManagedFilesOptions, managedFiles } from './file-mounts.js';
export { type LoadedMcpServers, type LoadForAgentParts, loadForAgent } from './mcp/load-servers.js';
export { type MemoryIndexOptions, memoryIndex } from './memory/create-index.js';
export { type OpenAiEmbedderOptions, openAiEmbedder } from './memory/open-ai-embedder.js';
export type { Embedder, MemoryHit, MemoryIndex, MemoryQuery } from './memory/search.js';
export { memoryTools } from './memory/tools.js';
export { type RedisClient, type SharedRateLimiterOptions, sharedRateLimiter } from './shared-rate-limiter.js';
export {
  type AdministeredStores,
  type ManagedStores,
  type ManagedStoresOptions,
  managedStores,
} from './stores/in-database.js';
export { memoryStores } from './stores/in-memory.js';
export type { LeasedEnd } from './subagents/lease.js';
export { type SubagentLeases, type SubagentLeasesOptions, subagentLeases } from './subagents/lease-store.js';
export { type LeasedSpawnerParts, leasedSpawner, takeOverSubagents } from './subagents/leased-spawner.js';
