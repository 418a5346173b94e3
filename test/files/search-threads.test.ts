import { afterEach, expect, test, vi } from 'vitest';
import { searchPool } from '../../src/files/search/threads/search-pool.js';
import { type SearchRun, SearchThreads } from '../../src/files/search/threads/search-threads.js';

afterEach(() => vi.restoreAllMocks());

test('a thread that cannot be started fails its search alone: nothing of it is left to be ended', async () => {
  vi.spyOn(searchPool, 'take').mockImplementation(() => {
    throw new Error('no thread is left');
  });
  const threads = new SearchThreads();
  const control = new AbortController();
  const run = { job: {}, timeoutMs: 1_000, signal: control.signal, onMessage: () => true } as unknown as SearchRun;
  await expect(threads.run(run)).rejects.toMatchObject({
    code: 'execution_failed',
    message: expect.stringContaining('no thread is left'),
  });
  control.abort();
  await expect(threads.dispose()).resolves.toBeUndefined();
});
