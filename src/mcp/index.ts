export type { McpUpdate } from '../host/mcp-client.js';
export type { McpAuthProvider } from './connection/sdk.js';
export type { McpServerConfig } from './connection/server-config.js';
export { elicitByQuestions } from './elicit-by-questions.js';
export {
  fileFingerprints,
  type McpFingerprints,
  memoryFingerprints,
  type ServerFingerprints,
} from './lists/fingerprints.js';
export type { McpPrompt, McpPromptText } from './lists/read-result.js';
export type { ToolFilter } from './lists/tool-filter.js';
export { McpManager } from './mcp-manager.js';
export type { McpManagerOptions, McpServerStatus } from './mcp-manager-options.js';
export { readMcpConfig } from './read-mcp-config.js';
export type { McpConsent, McpConsentRequest } from './server-consent.js';
