import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as aiSdk from '../../src/adapters/ai-sdk.js';
import * as anthropic from '../../src/adapters/anthropic.js';
import * as gemini from '../../src/adapters/gemini.js';
import * as langchain from '../../src/adapters/langchain.js';
import * as openai from '../../src/adapters/openai.js';
import * as openaiAgents from '../../src/adapters/openai-agents.js';
import * as claudeAgent from '../../src/mcp-server/claude-agent.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/reference/adapters.md');
const rows = page.split('\n').filter((line) => line.startsWith('| `toolwright/'));

test('the table of adapters names each function of each entry', () => {
  const entries = {
    anthropic,
    openai,
    gemini,
    'ai-sdk': aiSdk,
    langchain,
    'openai-agents': openaiAgents,
    'claude-agent': claudeAgent,
  };
  const named = Object.fromEntries(
    Object.keys(entries).map((entry) => {
      const text = rows.filter((row) => row.startsWith(`| \`toolwright/${entry}\``)).join('\n');
      return [entry, [...text.matchAll(/\b(?:to|from)[A-Z]\w+(?=\()/g)].map(([name]) => name).sort()];
    }),
  );
  expect(named).toEqual(
    Object.fromEntries(Object.entries(entries).map(([entry, exported]) => [entry, Object.keys(exported).sort()])),
  );
});

test('the table of adapters has the version ranges of the package', () => {
  const { peerDependencies } = JSON.parse(read('package.json')) as { peerDependencies: Record<string, string> };
  const said = Object.fromEntries(rows.map((row) => (row.match(/`([@\w/-]+)` `([^`]+)` \| \[/) ?? []).slice(1)));
  expect(said).toEqual(
    Object.fromEntries(
      Object.entries(peerDependencies).filter(([name]) =>
        /^(?:ai|openai|@(?:anthropic-ai|google|langchain|openai)\/.*)$/.test(name),
      ),
    ),
  );
});
