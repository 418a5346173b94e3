import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^toolwright$/, replacement: source('index.ts') },
      { find: /^toolwright\/core$/, replacement: source('core.ts') },
      { find: /^toolwright\/anthropic$/, replacement: source('adapters/anthropic.ts') },
      { find: /^toolwright\/openai$/, replacement: source('adapters/openai.ts') },
      { find: /^toolwright\/testing$/, replacement: source('testing/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/deep/**'],
    testTimeout: 20_000,
  },
});
