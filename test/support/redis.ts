import { randomUUID } from 'node:crypto';
import { createClient } from '@redis/client';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';

const port = 6379;

/** Whether tests with a Redis server can run here. Prints a message if not. */
export async function hasRedis(): Promise<boolean> {
  const client = new Redis({ port, lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    process.stdout.write(`Tests on Redis are skipped: nothing answers on 127.0.0.1:${port} (${String(error)}).\n`);
    return false;
  } finally {
    client.disconnect();
  }
}

/** A prefix whose keys are removed after the running test, and clients of two packages, which are closed before. */
export function emptyRedis() {
  const prefix = `test:${randomUUID()}`;
  onTestFinished(async () => {
    const client = new Redis({ port });
    const keys = await client.keys(`${prefix}*`);
    if (keys.length > 0) await client.del(keys);
    client.disconnect();
  });
  return {
    prefix,
    ioredis() {
      const client = new Redis({ port });
      onTestFinished(() => client.disconnect());
      return client;
    },
    async nodeRedis() {
      const client = await createClient({ socket: { host: '127.0.0.1', port } }).connect();
      onTestFinished(() => client.destroy());
      return client;
    },
  };
}
