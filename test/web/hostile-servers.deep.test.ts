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
import type { ToolkitOptions } from '../../src/index.js';
import { selfSigned } from '../support/certificate.js';
import { sample } from '../support/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';
import { checkRedirects } from '../support/web-redirects.js';
import { webServer } from '../support/web-server.js';

const run = promisify(execFile);

/** Fetches in a separate process. */
async function fetched(urls: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { stdout } = await run(process.execPath, ['--import', 'tsx', 'test/support/fetching-host.ts', ...urls], {
    env: { ...process.env, ...env },
  });
  return JSON.parse(stdout) as { readonly outcomes: readonly unknown[]; readonly maxRssMb: number };
}

/** A process without fetches needs 150 MB; one that decompresses a whole zip bomb needs over 1,000 MB. */
const halfOfBombMb = 500;

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

test('any request with any redirects never connects to a private address', async () => {
  await checkRedirects(10_000);
});

test('zip bombs and endless bodies stop at the limit, with little memory', async () => {
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
  expect(maxRssMb).toBeLessThan(halfOfBombMb);
  // Each piece is a single byte, so the time limit or the size limit ends the request.
  const crumbs = await fetched([`${url}/crumbs`]);
  expect(crumbs.outcomes[0]).toMatch(/^(?:timeout|file_too_large)$/);
  expect(crumbs.maxRssMb).toBeLessThan(halfOfBombMb);
});

const size = 9_900_000;
const filled = (part: string) => part.repeat(size / part.length);
const page = '<div><h2>Title</h2><p>Some <b>text</b> with a <a href=/x>link</a>.</p><ul><li>a<li>b</ul></div>';
const tables = '<table><tr><th>h<th>i';
const attributes = () => Array.from({ length: 1_600_000 }, (_, index) => `a${index.toString(36)}`).join(' ');
const bodies: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'text/html': {
    'a page': () => filled(page),
    paragraphs: () => filled('<p>a'),
    'one paragraph': () => `<p>${filled('word ')}`,
    'one word of many elements': () => filled('<b>a</b>'),
    'a word of backticks': () => filled('`'),
    entities: () => filled('&#96;'),
    'one code': () => `<code>${filled('` ')}`,
    'one code without spaces': () => `<code>${filled('`a')}`,
    'preformatted empty lines': () => `<pre>${filled('\n')}x`,
    'preformatted lines': () => `<pre>${filled('INFO server started\n')}`,
    'preformatted backticks': () => `<pre>${filled('`\n')}`,
    'preformatted backticks in a line': () => `<pre>${filled('`a')}`,
    'preformatted lines in quotes': () => `${'<blockquote>'.repeat(10)}<pre>${filled('some code\n')}`,
    'one table': () => `${tables}${filled('<tr><td>a<td>b')}`,
    'a table of five columns': () => `<table>${filled('<tr><td>1<td>2<td>3<td>4<td>5')}`,
    'one row': () => `${tables}${filled('<td>a')}`,
    'one cell': () => `${tables}<tr><td>${filled('<p>a|')}`,
    spans: () => `${tables}${filled('<tr><td rowspan=99 colspan=99>a<td>b')}`,
    'a wide table and short rows': () => `<table><tr>${'<th>a'.repeat(2_000)}${filled('<tr><td>b')}`,
    attributes: () => `<p ${attributes()}>x`,
    'the text of an image': () => `<img alt="${filled('[` ')}">x`,
    'links by a long base': () => `<base href="https://h.net/${'a/'.repeat(900)}">${filled('<a href=x>y</a> ')}`,
  },
  'application/json': {
    JSON: () => filled('[{"a": "some text"}],'),
    'JSON that is deep and long': () => `${'['.repeat(1_000)}${Array(300_000).fill(1)}${']'.repeat(1_000)}`,
    'JSON as deep as it is laid out': () => `${'['.repeat(60)}${Array(400_000).fill(1)}${']'.repeat(60)}`,
    'JSON of many values': () => `[${Array(240_000).fill('{}')}]`,
    'JSON that is nothing but deep': () => '['.repeat(499_000) + ']'.repeat(499_000),
    'JSON of deep lists': () => `[${Array(160).fill('['.repeat(3_000) + ']'.repeat(3_000))}]`,
    'JSON of texts that nobody ends': () => filled('"\\').slice(0, 900_000),
  },
  'text/plain': {
    text: () => filled('Some words and\r\nothers. '),
    'terminal sequences': () => filled('\x1b[1m'),
    'characters and control characters': () => filled(`\x01\x1b[2K${'a'.repeat(40)}`),
    'empty lines': () => filled('\r\n'),
  },
};

const typed = Object.entries(bodies).flatMap(([type, of]) =>
  Object.entries(of).map(([what, body]) => [what, type, body] as const),
);

test.each(sample(typed))(
  'WebFetch of 10 MB of %s does not block the event loop, type %s',
  async (_what, type, bodyOf) => {
    const page = { url: 'https://h.net/', status: 200, headers: {}, redirects: [], mediaType: type };
    const body = Buffer.from(bodyOf());
    const http = async () => ({ ...page, body });
    const options = {
      root: temporaryFolder(),
      permissions: 'bypassPermissions',
      hosts: { http: { get: http, post: http } },
    };
    const toolkit = testToolkit(options as ToolkitOptions);
    let turns = 0;
    let isReading = true;
    const count = () => void (isReading && ++turns && setImmediate(count));
    count();
    const result = await toolkit.call('WebFetch', { url: page.url, prompt: 'p' });
    isReading = false;
    expect(result).toMatchObject({ ok: true });
    // One for each quarter of a megabyte.
    expect(turns).toBeGreaterThan(body.length / 262_144);
  },
);

test('a certificate must be trusted and match the host', async () => {
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
