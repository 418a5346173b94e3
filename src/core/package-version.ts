/** The version of this package, as clients and servers of MCP are told it. */
export const packageVersion = '0.1.0';
