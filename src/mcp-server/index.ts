export type { HttpTransport } from './serve-http.js';
export { type ServeMcpOptions, serveMcp } from './serve-mcp.js';
export type { McpServing } from './server-for-client.js';
