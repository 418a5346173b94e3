export { type HttpTransport, type McpServing, type ServeMcpOptions, serveMcp } from './serve-mcp.js';
