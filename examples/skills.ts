/**
 * Skills in folders: the agent loads one and runs its script. Meanwhile it may use only the tools that the skill names.
 *
 * npx tsx examples/skills.ts   needs no network and no key
 */
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPermissions, createToolkit } from 'toolwright';
import { followedSkills, skillStore, skillTools } from 'toolwright/extras/skills';

// Replaces the service of Gemini. The first key is used up.
const server = createServer((request, response) => {
  if (request.headers['x-goog-api-key'] === 'made-up-key-1') response.writeHead(429).end('{}');
  else response.end(JSON.stringify({ candidates: [{ content: { parts: [{ text: 'A red square.' }] } }] }));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const root = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-skills-')));
await writeFile(join(root, 'square.png'), Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));

const followed = followedSkills(createPermissions({ root, allow: ['Bash(node *)', 'Write'] }), root);
const toolkit = createToolkit({
  root,
  permissions: followed.permissions,
  shell: {
    env: {
      GEMINI_API_KEYS: 'made-up-key-1,made-up-key-2',
      GEMINI_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
  },
});
const folder = fileURLToPath(new URL('skills', import.meta.url));
toolkit.registry.register(...skillTools(skillStore({ tiers: [{ name: 'examples', folder }] }), followed));

const call = async (name: string, input: Record<string, unknown>) => {
  const result = await toolkit.call(name, input);
  process.stdout.write(`\n${name} ${JSON.stringify(input)}\n${result.output.slice(0, 500)}\n`);
  return result.output;
};

try {
  const found = await call('skill_search', { query: 'what is in a picture' });
  const opened = await call('Skill', { name: 'media' });
  const command = `node ${JSON.stringify(join(folder, 'media/scripts/media.mjs'))} --format markdown square.png`;
  const described = await call('Bash', { command });
  const refused = await call('Write', { file_path: join(root, 'notes.txt'), content: 'red' });
  // The user writes again, so the skill ends.
  for (const sessionId of toolkit.sessions()) followed.end(sessionId);
  const written = await call('Write', { file_path: join(root, 'notes.txt'), content: 'red' });
  const checks = {
    'the skill is found by what it is for': found.startsWith('- media: '),
    'it names the tools to follow it with': opened.includes('Follow it with these tools only: Bash(node *), Read'),
    'its script goes on with the next key': described.includes('## square.png\n\nA red square.'),
    'other tools are refused while it is followed': refused.includes('with these tools only: Bash(node *), Read'),
    'and not after that': written.includes('notes.txt'),
  };
  process.stdout.write('\n');
  for (const [expectation, holds] of Object.entries(checks))
    process.stdout.write(`${holds ? 'ok    ' : 'FAILED'} ${expectation}\n`);
  if (!Object.values(checks).every(Boolean)) process.exitCode = 1;
} finally {
  await toolkit.dispose();
  server.close();
  server.closeAllConnections();
  await rm(root, { recursive: true });
}
