import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { createHttpClient } from 'toolwright';
import { describe, expect, test } from 'vitest';
import type { HttpClientOptions } from '../../src/index.js';
import { callScope } from '../support/call-scope.js';
import { eachRow, table } from '../support/each-row.js';
import { webServer } from '../support/web-server.js';

const words = Buffer.from('many words and more words '.repeat(1_000));

/** The result of a client for a body with a content coding: the text, or the error code. */
async function outcomeOf(
  body: Uint8Array,
  coding: string,
  options: HttpClientOptions = {},
  maxBytes?: number,
): Promise<string> {
  const { url } = await webServer(
    (_request, response) => void response.writeHead(200, { 'content-encoding': coding }).end(body),
  );
  return createHttpClient({ allowPrivate: true, ...options })
    .get({ url, maxBytes }, callScope())
    .then(
      (answer) => Buffer.from(answer.body).toString(),
      (error) => error.code,
    );
}

table([
  ['identity', words],
  ['gzip', gzipSync(words)],
  ['X-GZip', gzipSync(words)],
  ['deflate', deflateSync(words)],
  ['deflate', deflateRawSync(words)],
  ['br', brotliCompressSync(words)],
  ['gzip, br', brotliCompressSync(gzipSync(words))],
  ['deflate,identity,  gzip', gzipSync(deflateSync(words))],
  ['', words],
])('a body in any content coding is decoded', async (coding, body) =>
  expect(await outcomeOf(body, coding)).toBe(words.toString()),
);

test('a body without bytes is empty in any content coding', () =>
  eachRow(['gzip', 'deflate', 'br', 'br, gzip'], async (coding) =>
    expect(await outcomeOf(new Uint8Array(0), coding)).toBe(''),
  ));

test('a truncated body is decoded up to its end', async () => {
  const noise = Buffer.from(Array.from({ length: 3_000 }, (_, index) => `${(index * 7919) % 3001} `).join(''));
  for (const [coding, whole] of [
    ['gzip', gzipSync(noise)],
    ['br', brotliCompressSync(noise)],
  ] as const) {
    const read = await outcomeOf(whole.subarray(0, whole.length - 20), coding);
    expect(read.length).toBeGreaterThan(1_000);
    expect(noise.toString().startsWith(read)).toBe(true);
  }
});

test('a damaged body is rejected', async () => {
  const whole = gzipSync(words);
  const flipped = (at: number) => whole.map((byte, index) => (index === at ? byte ^ 0x55 : byte));
  expect(await outcomeOf(Buffer.concat([whole, Buffer.from('garbage')]), 'gzip')).toBe('http_error');
  expect(await outcomeOf(flipped(whole.length - 6), 'gzip')).toBe('http_error');
  expect(await outcomeOf(flipped(whole.length >> 1), 'gzip')).toBe('http_error');
});

table([
  ['of no such coding', 'gzip', words, 'http_error'],
  ['of a coding that nobody knows', 'zstd', words, 'http_error'],
  ['of far too many codings', Array(50).fill('gzip').join(), words, 'http_error'],
])('a damaged or too large body is rejected', async (_name, coding, body, code) =>
  expect(await outcomeOf(body, coding)).toBe(code),
);

describe('a body over the limit', () => {
  table([
    ['identity', words],
    ['gzip', gzipSync(words)],
  ])('by a single byte is rejected in any content coding', async (coding, body) => {
    const limits = { maxBytes: words.length };
    expect(await outcomeOf(body, coding, { limits })).toBe(words.toString());
    expect(await outcomeOf(body, coding, { limits: { maxBytes: words.length - 1 } })).toBe('file_too_large');
    expect(await outcomeOf(body, coding, { limits }, words.length - 1)).toBe('file_too_large');
    expect(await outcomeOf(body, coding, { limits: { maxBytes: 5 } }, words.length)).toBe(words.toString());
  });

  test('after decompression is rejected', async () => {
    const zeros = Buffer.alloc(50_000_000);
    const gzipped = gzipSync(zeros, { level: 1 });
    for (const [coding, body] of [
      ['gzip', gzipped],
      ['br', brotliCompressSync(zeros, { params: { 1: 1 } })],
      ['gzip, gzip', gzipSync(gzipped)],
    ] as const)
      expect(await outcomeOf(body, coding)).toBe('file_too_large');
  });

  test('without an end is rejected, and its connection closed', async () => {
    const isClosed = new Promise<void>(
      (resolve) =>
        void webServer((_request, response) => {
          const chunk = Buffer.alloc(60_000);
          const write = () => {
            while (!response.destroyed && response.write(chunk));
          };
          response.on('drain', write).once('close', resolve);
          write();
        }).then(
          async ({ url }) =>
            await expect(createHttpClient({ allowPrivate: true }).get({ url }, callScope())).rejects.toMatchObject({
              code: 'file_too_large',
            }),
        ),
    );
    await isClosed;
  });
});
