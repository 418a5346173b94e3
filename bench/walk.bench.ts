// How much code one warm call runs: the files and folders of src with a called function, and the number of calls of
// functions that should run once. Counted by the coverage of V8, so the numbers are the same on every machine. Usage:
// npm run bench -- walk
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPermissions, createToolkit } from '../src/index.js';
import { McpManager } from '../src/mcp.js';
import { openWorkspace } from './workspace.js';

/** Work that should be done once: the name of its function, and the end of the path of its file. */
const work = {
  assessments: ['assessCommand', 'assess/assess-command.ts'],
  'passes of the scrubber': ['scrubAll', 'secrets/scrubber.ts'],
  'looks at a repository': ['#facts', 'run/git-repository.ts'],
} as const;
const warmCalls = 20;

await using workspace = openWorkspace();
const { root } = workspace;
writeFileSync(join(root, 'a.ts'), 'const value = compute(index, total);\n'.repeat(100));

const program = fileURLToPath(new URL('echo-server.ts', import.meta.url));
await using mcp = new McpManager({
  servers: { echo: { command: process.execPath, args: ['--import', 'tsx', program, '--stdio'] } },
});
const permissions = createPermissions({ root, allow: ['mcp__echo__echo'], onAsk: () => 'allow-once' });
await using toolkit = createToolkit({ root, permissions, hosts: { mcp } });
await mcp.connect();
const calls: Readonly<Record<string, [tool: string, input: object]>> = {
  Read: ['Read', { file_path: join(root, 'a.ts') }],
  'Bash, asked': ['Bash', { command: 'mkdir -p made && touch made/file' }],
  MCP: ['mcp__echo__echo', { text: 'const value = compute(index, total);' }],
};

const session = new Session();
session.connect();
await session.post('Profiler.enable');
for (const [name, [tool, input]] of Object.entries(calls)) {
  const run = async () => {
    const result = await toolkit.call(tool, input);
    if (!result.ok) throw new Error(result.output);
  };
  for (let count = 0; count < warmCalls; count++) await run();
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const scripts = result
    .filter(({ url }) => url.includes('/src/') && !url.includes('node_modules'))
    .map(({ url, functions }) => ({
      path: url.slice(url.lastIndexOf('/src/') + 5),
      // The first function is the module itself, and tsx adds its own helper.
      called: functions.filter(
        ({ functionName, ranges }) => !/^(?:__name)?$/.test(functionName) && (ranges[0]?.count ?? 0) > 0,
      ),
    }))
    .filter(({ called }) => called.length > 0);
  const counts = Object.entries(work).map(([what, [functionName, file]]) => {
    const called = scripts.find(({ path }) => path.endsWith(file))?.called ?? [];
    const found = called.find((one) => one.functionName === functionName);
    return `${what} ${found?.ranges[0]?.count ?? 0}`;
  });
  const rooms = new Set(scripts.map(({ path }) => dirname(path)));
  console.log(`${name}: ${scripts.length} files in ${rooms.size} folders; ${counts.join(', ')}`);
}
session.disconnect();
