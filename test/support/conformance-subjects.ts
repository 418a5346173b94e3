import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createConfigStore,
  createDeadLetters,
  createHttpClient,
  createRateLimiter,
  createTaskBoard,
  createTodoStore,
  ToolError,
} from 'toolwright';
import { MemoryDocuments, memoryStore } from 'toolwright/files';
import { memorySuspensions } from 'toolwright/guards';
import { memoryFingerprints } from 'toolwright/mcp';
import { bubblewrapSandbox } from 'toolwright/sandbox';
import { memoryFiles } from 'toolwright/testing';
import { HostShell, SpillFolder } from 'toolwright/tools';
import type { CallScope } from '../../src/core/context.js';
import { resolveLimits } from '../../src/core/resolve-limits.js';
import type { SubagentRequest } from '../../src/ports/agents/subagents.js';
import type { SearchProvider } from '../../src/ports/search-provider.js';
import { FakeMcpClient } from './fake-mcp-client.js';

function folder() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-test-')));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

function shell() {
  const { root, remove } = folder();
  const spill = new SpillFolder();
  const made = new HostShell({ roots: [root], folder: spill, limits: resolveLimits({}) });
  return {
    root,
    shell: made as Pick<HostShell, 'run'>,
    async dispose() {
      await made.dispose();
      spill.dispose();
      remove();
    },
  };
}

function sandbox() {
  const { root, remove } = folder();
  const { root: outside, remove: removeOutside } = folder();
  return {
    sandbox: bubblewrapSandbox(),
    root,
    outside,
    dispose() {
      remove();
      removeOutside();
    },
  };
}

const pages = Array.from({ length: 12 }, (_, at) => `${['a.example', 'docs.a.example', 'b.example'][at % 3]}/${at}`);

/** A search that finds twelve pages of two domains. */
const search: SearchProvider = {
  async search({ allowedDomains, blockedDomains = [], maxResults = 10 }, { signal }) {
    signal.throwIfAborted();
    const below = (page: string, domains: readonly string[]) =>
      domains.some((domain) => page.startsWith(`${domain}/`) || page.includes(`.${domain}/`));
    const found = pages.filter(
      (page) => !below(page, blockedDomains) && (allowedDomains === undefined || below(page, allowedDomains)),
    );
    return found.slice(0, maxResults).map((page) => ({ title: `Page ${page}`, url: `https://${page}` }));
  },
};
const unreachable: SearchProvider = {
  search: () => Promise.reject(new ToolError('search_unavailable', 'The service cannot be reached.')),
};

function mcp() {
  const client = new FakeMcpClient({ docs: { tools: [{ name: 'echo' }] } });
  client.answer = ({ server, input }, { signal }) => {
    signal.throwIfAborted();
    if (server !== 'docs') throw new ToolError('mcp_unavailable', `There is no server ${server}.`);
    return { content: [{ type: 'text', text: JSON.stringify(input) }] };
  };
  return { mcp: client, server: 'docs', tool: 'echo', change: () => client.set('docs', { state: 'connected' }) };
}

/** An implementation for each kit, made again for each case. */
export const subjects = {
  files: () => ({ files: memoryFiles() }),
  shell,
  sandbox,
  search: () => ({ search, unreachable, query: 'pages' }),
  limiter: () => ({ limiter: createRateLimiter({ max: 5 }) }),
  http: () => ({ http: createHttpClient({ allowPrivate: true }) }),
  mcp,
  store: () => ({ store: memoryStore(new MemoryDocuments()) }),
  todos: () => ({ todos: createTodoStore() }),
  board: () => ({ board: createTaskBoard() }),
  config: () => ({
    config: createConfigStore({ settings: { theme: { type: 'string', description: 'Colours', default: 'light' } } }),
    setting: 'theme',
    values: ['dark', 'blue'] as const,
  }),
  letters: () => {
    const letters = createDeadLetters();
    return { letters, kept: () => letters.list() };
  },
  fingerprints: () => ({ fingerprints: memoryFingerprints() }),
  spawner: () => ({
    spawner: {
      types: { 'general-purpose': 'Everything.' },
      async spawn({ prompt, report }: SubagentRequest, { signal }: CallScope) {
        report({ turn: 1, text: prompt });
        if (prompt === 'endless') await once(signal, 'abort');
        signal.throwIfAborted();
        return { output: 'done', usage: { turns: 1 } };
      },
    },
    prompts: { short: 'short', endless: 'endless' },
  }),
  suspensions: () => ({ store: memorySuspensions() }),
};
