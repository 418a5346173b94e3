import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A `fetch` that answers with these bodies in turn, and records the requests. */
export function scriptedFetch(answers: readonly object[]) {
  const sent: Record<string, unknown>[] = [];
  const answer: typeof fetch = (_url, init) => {
    sent.push(JSON.parse(String(init?.body)) as Record<string, unknown>);
    const body = JSON.stringify(answers[sent.length - 1] ?? {});
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json' } }));
  };
  return { fetch: answer, sent };
}

/** The same as a server on loopback, for clients without a `fetch` option. */
export async function scriptedServer(answers: readonly object[]) {
  const sent: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      sent.push(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answers[sent.length - 1] ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  onTestFinished(async () => {
    await close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent, close };
}
