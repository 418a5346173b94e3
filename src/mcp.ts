export type { McpAuthProvider } from './mcp/connection/sdk.js';
export type { McpServerConfig } from './mcp/connection/server-config.js';
export { elicitByQuestions } from './mcp/elicit-by-questions.js';
export {
  fileFingerprints,
  type McpFingerprints,
  memoryFingerprints,
  type ServerFingerprints,
} from './mcp/lists/fingerprint-stores.js';
export type { McpPrompt, McpPromptText } from './mcp/lists/read-server-result.js';
export type { ToolFilter } from './mcp/lists/tool-filter.js';
export { McpManager } from './mcp/manager.js';
export type { McpManagerOptions, McpServerStatus } from './mcp/manager-options.js';
export { readMcpConfig } from './mcp/read-config.js';
export type { McpConsent, McpConsentRequest } from './mcp/server-consent.js';
export type * from './ports/mcp-client.js';
export { type McpToolOptions, mcpTool, registerMcpTool } from './tools/mcp/server-tool.js';
export { mcpToolName } from './tools/mcp/server-tool-name.js';
