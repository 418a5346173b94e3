import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createToolkit } from '../../src/create-toolkit.js';
import { selfSigned } from '../support/certificate.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { checkRedirects } from '../support/web-redirects.js';
import { webServer } from '../support/web-server.js';

const run = promisify(execFile);

/** Fetches in a process of its own. */
async function fetched(urls: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { stdout } = await run(process.execPath, ['--import', 'tsx', 'test/support/fetching-host.ts', ...urls], {
    env: { ...process.env, ...env },
  });
  return JSON.parse(stdout) as { readonly outcomes: readonly unknown[]; readonly maxRssMb: number };
}

/** A gigabyte of zeros, compressed. */
async function gigabyte(compressor: NodeJS.ReadWriteStream): Promise<Buffer> {
  const zeros = Buffer.alloc(10_000_000);
  const chunks: Buffer[] = [];
  compressor.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (let written = 0; written < 100; written++) if (!compressor.write(zeros)) await once(compressor, 'drain');
  compressor.end();
  await once(compressor, 'end');
  return Buffer.concat(chunks);
}

test('whatever is asked for, wherever it redirects to, nothing private is ever connected to', async () => {
  await checkRedirects(10_000);
});

test('bombs and bodies without end stop at the limit, in little memory', async () => {
  const gzipped = await gigabyte(createGzip({ level: 9 }));
  const brotli = await gigabyte(createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }));
  const bombs: Readonly<Record<string, readonly [coding: string, body: Buffer]>> = {
    '/gzip': ['gzip', gzipped],
    '/br': ['br', brotli],
    '/nested': ['gzip, gzip', gzipSync(gzipped)],
  };
  const endless =
    (chunk: string | Buffer): RequestListener =>
    (_request, response) => {
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', write);
      write();
    };
  const { url } = await webServer((request, response) => {
    const bomb = bombs[request.url ?? ''];
    if (bomb !== undefined) response.writeHead(200, { 'content-encoding': bomb[0] }).end(bomb[1]);
    else endless(request.url === '/crumbs' ? '.' : Buffer.alloc(60_000))(request, response);
  });
  const { outcomes, maxRssMb } = await fetched(['/gzip', '/br', '/nested', '/endless'].map((path) => `${url}${path}`));
  expect(outcomes).toEqual(Array(4).fill('file_too_large'));
  expect(maxRssMb).toBeLessThan(200);
  // Each of these pieces is a single byte: the limit of time comes first, or that of size.
  const crumbs = await fetched([`${url}/crumbs`]);
  expect(crumbs.outcomes[0]).toMatch(/^(?:timeout|file_too_large)$/);
  expect(crumbs.maxRssMb).toBeLessThan(200);
});

test.each([
  [
    'a page',
    'text/html',
    '<div><h2>Title</h2><p>Some <b>text</b> with a <a href=/x>link</a>.</p><ul><li>a<li>b</ul></div>',
  ],
  ['JSON', 'application/json', '[{"a": "some text"}],'],
  ['text', 'text/plain', 'Some words and\r\nothers. '],
])('WebFetch of %s of 10 MB never holds the event loop for 200 ms of work', async (_what, type, part) => {
  const body = part.repeat(9_900_000 / part.length);
  const { url } = await webServer(
    (_request, response) => void response.writeHead(200, { 'content-type': type }).end(body),
  );
  const toolkit = createToolkit({
    root: temporaryFolder(),
    permissions: 'bypassPermissions',
    web: { allowPrivate: true },
  });
  onTestFinished(() => toolkit.dispose());
  let longest = 0;
  let last = process.cpuUsage();
  let isReading = true;
  const look = () => {
    const { user, system } = process.cpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.cpuUsage();
    if (isReading) setImmediate(look);
  };
  look();
  const { results } = await toolkit.execute([{ id: 'call_1', name: 'WebFetch', input: { url, prompt: 'p' } }]);
  isReading = false;
  look();
  expect(results[0]).toMatchObject({ ok: true });
  expect(longest).toBeLessThan(200);
});

test('a certificate must be vouched for, and be that of the host', async () => {
  const own = selfSigned('example.org');
  const server = createServer(own, (_request, response) => void response.end('hello'));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-test-'));
  onTestFinished(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  const file = join(folder, 'trusted.pem');
  await writeFile(file, own.cert);
  const { port } = server.address() as AddressInfo;
  const urls = ['example.org', 'example.org.', 'other.example', '127.0.0.1'].map((host) => `https://${host}:${port}/`);
  expect((await fetched(urls, { NODE_EXTRA_CA_CERTS: file })).outcomes).toEqual([
    200,
    200,
    'network_failed',
    'network_failed',
  ]);
  expect((await fetched(urls.slice(0, 1))).outcomes).toEqual(['network_failed']);
});
