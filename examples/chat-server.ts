/**
 * A chat server: many conversations over HTTP, each with its own approvals, streamed output, cancel and end.
 *
 * npx tsx examples/chat-server.ts starts the server and a client that tests it; needs no network and no key npx tsx
 * examples/chat-server.ts --port 8080 only serves the current folder
 */
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chatModel } from './chat-server/chat-model.js';
import { tryOut } from './chat-server/client.js';
import { createChatServer } from './chat-server/server.js';

const { port } = parseArgs({ options: { port: { type: 'string' } } }).values;
if (port === undefined) process.exitCode = await demonstrate();
else serve(Number(port));

function serve(onPort: number): void {
  const root = process.cwd();
  createChatServer({ root, model: () => chatModel(root) }).server.listen(onPort, '127.0.0.1');
  process.stdout.write(`Serving ${root} on http://127.0.0.1:${onPort}/sessions\n`);
}

async function demonstrate(): Promise<number> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-chat-')));
  const { server, toolkit } = createChatServer({ root, model: () => chatModel(root) });
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port: chosen } = server.address() as AddressInfo;
    const checks = await tryOut(`http://127.0.0.1:${chosen}`);
    const all = {
      ...checks,
      'the approved note was written': existsSync(join(root, 'note.txt')),
      'no session is left': toolkit.sessions().length === 0,
    };
    for (const [expectation, holds] of Object.entries(all))
      process.stdout.write(`${holds ? 'ok    ' : 'FAILED'} ${expectation}\n`);
    return Object.values(all).every(Boolean) ? 0 : 1;
  } finally {
    await toolkit.dispose();
    server.close();
    server.closeAllConnections();
    await rm(root, { recursive: true });
  }
}
