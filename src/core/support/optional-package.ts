/**
 * Imports an optional peer dependency, or an entry of this package that needs one. The name is a variable so that
 * bundlers leave the package out: such packages are large, or have binaries for one system.
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
  // webpack and vite must not resolve the computed name.
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name);
}
