/** The version of this package, sent to MCP clients and servers. */
export const packageVersion = '0.1.0';
