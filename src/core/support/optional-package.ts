/**
 * Imports a package that need not be installed, or an entry of this one that needs such a package. Bundlers leave it
 * where it is: it is large, or brings programs for one system.
 */
export function optionalPackage(
  name:
    | '@electric-sql/pglite'
    | '@hono/node-server'
    | '@lydell/node-pty'
    | '@vscode/ripgrep'
    | '@xterm/headless'
    | 'hono'
    | 'msedge-tts'
    | 'pg'
    | 'playwright-core'
    | 'rate-limiter-flexible'
    | 'sharp'
    | 'toolwright/langchain'
    | 'typescript'
    | 'unpdf'
    | 'ws',
): Promise<unknown> {
  return import(name);
}
