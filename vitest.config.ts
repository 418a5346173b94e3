import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

const entries = [
  { find: /^toolwright$/, replacement: source('index.ts') },
  { find: /^toolwright\/core$/, replacement: source('core.ts') },
  { find: /^toolwright\/files$/, replacement: source('files.ts') },
  { find: /^toolwright\/policy$/, replacement: source('policy.ts') },
  { find: /^toolwright\/guards$/, replacement: source('guards.ts') },
  { find: /^toolwright\/anthropic$/, replacement: source('adapters/anthropic.ts') },
  { find: /^toolwright\/openai$/, replacement: source('adapters/openai.ts') },
  { find: /^toolwright\/ai-sdk$/, replacement: source('adapters/ai-sdk.ts') },
  { find: /^toolwright\/openai-agents$/, replacement: source('adapters/openai-agents.ts') },
  { find: /^toolwright\/gemini$/, replacement: source('adapters/gemini.ts') },
  { find: /^toolwright\/langchain$/, replacement: source('adapters/langchain.ts') },
  { find: /^toolwright\/claude-agent$/, replacement: source('mcp-server/claude-agent.ts') },
  { find: /^toolwright\/schema$/, replacement: source('schema.ts') },
  { find: /^toolwright\/mcp$/, replacement: source('mcp.ts') },
  { find: /^toolwright\/agents$/, replacement: source('agents.ts') },
  { find: /^toolwright\/sandbox$/, replacement: source('sandbox/index.ts') },
  { find: /^toolwright\/remote$/, replacement: source('remote/index.ts') },
  { find: /^toolwright\/mcp-server$/, replacement: source('mcp-server/index.ts') },
  { find: /^toolwright\/testing$/, replacement: source('testing/index.ts') },
];

/** The last version of the major before; it ships `zod/v4` as well. */
const zod3 = [{ find: /^zod(\/.*)?$/, replacement: 'zod3$1' }];

/** The least share of lines and branches that the quick suite reaches, in percent, by folder. */
const coverageFloors = {
  core: { lines: 95, branches: 90 },
  text: { lines: 95, branches: 90 },
  access: { lines: 95, branches: 92 },
  pipeline: { lines: 95, branches: 90 },
  state: { lines: 93, branches: 88 },
  // What runs in the search thread is not counted.
  files: { lines: 70, branches: 62 },
  shell: { lines: 92, branches: 86 },
  tools: { lines: 95, branches: 90 },
  // The deep suite runs what compiles schemas.
  adapters: { lines: 94, branches: 85 },
};

/** What the deep suite runs whole, and the quick one not at all: each takes as long as a hundred others. */
export const slow = [
  'test/{bin,guides,readme}.test.ts',
  'test/adapters/{compile-schema,golden-set}.test.ts',
  'test/agents/worktree.test.ts',
  'test/examples/{agent-loop,agents,live,planning-host,replay}.test.ts',
  'test/files/{grep-in-thread,grep-matcher,search-grep,search-walk,search-worker,verify-search-results,virtual-search}.test.ts',
  'test/mcp/{hostile,real-servers}.test.ts',
  'test/mcp-server/stdio.test.ts',
  'test/remote/*.test.ts',
  'test/scenarios/{file-secrets,hostile-repositories,loops-in-toolkit,path-escape}.test.ts',
  'test/scenarios/{read-image,regex-cases,secrets-in-output}.test.ts',
  'test/shell/host-exit.test.ts',
  'test/testing/{node-test-runner,record-replay}.test.ts',
  'test/text/edit-plan.test.ts',
];

/** What the quick and the deep suite share. */
export const shared = defineConfig({
  resolve: { alias: entries },
  test: {
    execArgv: ['--unhandled-rejections=strict'],
    // Machines of CI are shared: what passes when it is run again is printed with `(retry x1)`, and is looked into.
    retry: process.env.CI === undefined || process.env.CI === '' ? 0 : 1,
    // Without it esbuild keeps a thread, which tests that count threads would see.
    env: { ESBUILD_WORKER_THREADS: '0' },
    unstubEnvs: true,
    unstubGlobals: true,
    // A process and an import of everything for each file cost more than most files do. A check after each keeps this sound.
    isolate: false,
    globalSetup: ['test/support/compiled-programs.ts'],
    setupFiles: ['test/support/leaves-nothing.ts'],
    // By itself it leaves one core free, which on two cores is half of them.
    maxWorkers: '100%',
  },
});

export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    // Ten times what the slowest needs on a busy machine: it ends what hangs, and says nothing of speed.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: ['test/deep/**', 'test/**/*.property.test.ts', ...slow],
        },
      },
      { extends: true, resolve: { alias: zod3 }, test: { name: 'zod3', include: ['test/catalogue.test.ts'] } },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // The bin runs in a process of its own, where nothing is counted.
      exclude: ['src/bin.ts'],
      reporter: [['text', { skipFull: true }], 'json-summary'],
      thresholds: Object.fromEntries(
        Object.entries(coverageFloors).map(([folder, floor]) => [`src/${folder}/**`, floor]),
      ),
    },
  },
});
