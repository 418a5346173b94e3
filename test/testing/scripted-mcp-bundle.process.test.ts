import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { expect, test } from 'vitest';
import { runProgram } from '../examples/run-example.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const contents = `
  import { McpManager } from 'toolwright/mcp';
  import { scriptedMcpServer } from 'toolwright/testing';
  const { config } = scriptedMcpServer({ tools: [{ name: 'greet', answer: 'hello' }] });
  const manager = new McpManager({ servers: { scripted: config } });
  void (async () => {
    await manager.connect();
    const scope = { caller: { sessionId: 's' }, signal: new AbortController().signal };
    const { content } = await manager.callTool({ server: 'scripted', tool: 'greet', input: {} }, scope);
    console.log(content[0].text);
    await manager.dispose();
  })();`;
/** CommonJS dependencies in a bundled ES module load Node's own modules by `require`. */
const banner = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

const ways: readonly (readonly [name: string, options: BuildOptions])[] = [
  ['as CommonJS, where import.meta is empty', { format: 'cjs', logOverride: { 'empty-import-meta': 'silent' } }],
  [
    'minified, with the names of functions kept',
    { format: 'esm', banner: { js: banner }, minify: true, keepNames: true },
  ],
  [
    'for an old target',
    {
      format: 'esm',
      banner: { js: banner },
      target: 'es2017',
      supported: {
        'dynamic-import': true,
        'async-generator': true,
        'for-await': true,
        bigint: true,
        'top-level-await': true,
      },
    },
  ],
];

test.each(ways)(
  'a test in one file, bundled %s, starts the scripted server from another folder',
  async (_, options) => {
    const folder = temporaryFolder();
    const outfile = join(folder, options.format === 'cjs' ? 'test.cjs' : 'test.mjs');
    const resolveDir = fileURLToPath(new URL('.', import.meta.url));
    await build({
      stdin: { contents, resolveDir },
      bundle: true,
      platform: 'node',
      outfile,
      logLevel: 'error',
      ...options,
    });
    expect(await runProgram(outfile, [], {}, folder)).toEqual({ exitCode: 0, stdout: 'hello\n', stderr: '' });
  },
);
