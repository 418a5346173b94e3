import { execFile } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { promisify } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { compiled } from '../support/compiled-programs.js';

const count = 1_000;
const largest = 1_000_000;
const bytes = randomFillSync(Buffer.alloc(largest));

/** Incompressible bodies from one byte to a megabyte in a geometric sequence; every third is truncated. */
const bodies = Array.from({ length: 40 }, (_, index) => {
  const content = bytes.subarray(0, Math.ceil(largest ** (index / 39)));
  const gzipped = gzipSync(content);
  const brotli = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
  return [
    { coding: 'gzip', body: gzipped },
    { coding: 'br', body: brotli },
    { coding: 'gzip', body: gzipped.subarray(0, gzipped.length / 2) },
  ];
}).flat();

test('a process survives 1,000 compressed bodies of all sizes whose connections close', async () => {
  let answered = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      const { coding, body } = bodies[answered++ % bodies.length] as (typeof bodies)[number];
      // Without a length, the end of the connection is the end of the body.
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\n\r\n`);
      socket.end(body);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const env = { ...process.env, FETCHES: `${count}` };
  const program = [compiled('test/support/fetching-host'), `http://127.0.0.1:${port}/`];
  const { stdout } = await promisify(execFile)(process.execPath, program, { env });
  expect(JSON.parse(stdout).outcomes).toEqual(Array(count).fill(200));
  expect(answered).toBe(count);
});
