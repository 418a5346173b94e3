import childProcess from 'node:child_process';
import { createSocket } from 'node:dgram';
import fs from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, vi } from 'vitest';
import { table } from './support/each-row.js';
import { temporaryFolder } from './support/temporary-folder.js';

const large = Buffer.alloc(1_000_001);

/** The outcome of a stream or a descriptor of a new file. */
function inNewFile(work: (descriptor: number) => void): void {
  const descriptor = fs.openSync(join(temporaryFolder(), 'file'), 'w');
  try {
    work(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

async function inOpenFile(work: (file: fs.promises.FileHandle) => Promise<unknown>): Promise<void> {
  const file = await fs.promises.open(join(temporaryFolder(), 'file'), 'w');
  try {
    await work(file);
  } finally {
    await file.close();
  }
}

const forbidden: readonly (readonly [what: string, doing: () => unknown])[] = [
  ['started a process', () => childProcess.spawn('true')],
  ['started a process', () => childProcess.exec('true')],
  ['started a process', () => childProcess.spawnSync('true')],
  ['started a thread', () => new Worker('', { eval: true })],
  ['listened', () => createServer().listen(0, '127.0.0.1')],
  ['connected', () => connect(1, '127.0.0.1')],
  ['opened a socket', () => createSocket('udp4').bind(0, '127.0.0.1')],
  ['opened a socket', () => createSocket('udp4').send('', 1, '127.0.0.1')],
  ['read cpuUsage', () => process.cpuUsage()],
  ['read memoryUsage', () => process.memoryUsage()],
  ['read memoryUsage', () => process.memoryUsage.rss()],
  ['read resourceUsage', () => process.resourceUsage()],
  ['waited by vi.waitFor', () => vi.waitFor(() => {})],
  ['wrote over', () => inNewFile((descriptor) => fs.writeSync(descriptor, large))],
  ['wrote over', () => inNewFile((descriptor) => fs.write(descriptor, large, () => {}))],
  ['wrote over', () => inNewFile((descriptor) => fs.writevSync(descriptor, [large.subarray(1), large.subarray(1)]))],
  ['wrote over', () => inNewFile((descriptor) => fs.writev(descriptor, [large], () => {}))],
  ['wrote over', () => inNewFile((descriptor) => fs.writeFileSync(descriptor, 'é'.repeat(500_001)))],
  ['wrote over', () => inOpenFile((file) => file.write(large))],
  ['wrote over', () => inOpenFile((file) => file.writev([large]))],
  ['wrote over', () => inOpenFile((file) => file.writeFile(large))],
];

table(forbidden)('a forbidden operation in a quick test fails with a message', async (what, doing) => {
  const { toolwrightRefused } = globalThis as { toolwrightRefused?: string[] };
  await expect(async () => await doing()).rejects.toThrow(`a test of the quick tier ${what}`);
  // Otherwise this test itself would fail for its forbidden operations.
  expect(toolwrightRefused?.splice(0)).toEqual([expect.stringContaining(what)]);
});
