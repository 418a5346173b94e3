import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import workers from 'node:worker_threads';
import { afterEach, expect, vi } from 'vitest';

// Restricts tests of the quick tier to memory and a small temporary folder. A forbidden operation throws, and also
// fails its test, because the tested code may catch the error.

const maxWrittenBytes = 1_000_000;

// Test files share a process, so the functions of the platform are replaced once.
const shared = globalThis as { toolwrightRefused?: string[] };

function refuse(what: string): never {
  shared.toolwrightRefused?.push(what);
  throw new Error(`a test of the quick tier ${what}: name its file *.process.test.ts or *.deep.test.ts`);
}

function bytesOf(data: unknown): number {
  if (Array.isArray(data)) return data.reduce((bytes: number, part) => bytes + bytesOf(part), 0);
  return typeof data === 'string' ? Buffer.byteLength(data) : ArrayBuffer.isView(data) ? data.byteLength : 0;
}

function write(data: unknown): void {
  const bytes = bytesOf(data);
  if (bytes > maxWrittenBytes) refuse(`wrote over ${maxWrittenBytes} bytes`);
}

/** Replaces a method by one that first checks its arguments. */
function before(target: object, name: string, look: (values: readonly unknown[]) => void): void {
  const method = Reflect.get(target, name) as (...values: unknown[]) => unknown;
  const replacement = function (this: unknown, ...values: unknown[]) {
    look(values);
    return method.apply(this, values);
  };
  Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(method));
  Reflect.set(target, name, replacement);
}

if (shared.toolwrightRefused === undefined) {
  shared.toolwrightRefused = [];
  const starts = () => refuse('started a process');
  before(childProcess.ChildProcess.prototype, 'spawn', starts);
  for (const name of ['spawnSync', 'execFileSync', 'execSync']) before(childProcess, name, starts);
  class NoWorker extends workers.Worker {
    constructor(...values: ConstructorParameters<typeof workers.Worker>) {
      refuse('started a thread');
      super(...values);
    }
  }
  Reflect.set(workers, 'Worker', NoWorker);
  before(net.Server.prototype, 'listen', () => refuse('listened'));
  before(net.Socket.prototype, 'connect', () => refuse('connected'));
  for (const name of ['bind', 'send', 'connect']) before(dgram.Socket.prototype, name, () => refuse('opened a socket'));
  for (const name of ['cpuUsage', 'memoryUsage', 'resourceUsage']) before(process, name, () => refuse(`read ${name}`));
  before(process.memoryUsage, 'rss', () => refuse('read memoryUsage'));
  for (const name of ['waitFor', 'waitUntil']) before(vi, name, () => refuse(`waited by vi.${name}`));
  const handle = await fs.promises.open('/dev/null');
  await handle.close();
  for (const name of ['write', 'writev', 'writeFile', 'appendFile'])
    before(Object.getPrototypeOf(handle), name, ([data]) => write(data));
  for (const name of ['writeFile', 'appendFile']) before(fs.promises, name, ([, data]) => write(data));
  for (const name of ['write', 'writeSync', 'writev', 'writevSync', 'writeFile', 'writeFileSync'])
    before(fs, name, ([, data]) => write(data));
  syncBuiltinESMExports();
}

afterEach(() => {
  expect(shared.toolwrightRefused?.splice(0), 'what the quick tier may not do').toEqual([]);
});
