import { serveAdmin } from 'toolwright/managed';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';

const tokens = 'a-token-of-at-least-16-characters';

test('port 0 is a free port, and a server may be closed twice', async () => {
  const serving = await serveAdmin({ database: temporaryFolder(), port: 0, tokens });
  expect(Number(new URL(serving.url).port)).toBeGreaterThan(0);
  expect((await fetch(`${serving.url}/openapi.json`)).status).toBe(200);
  await Promise.all([serving.close(), serving.close()]);
  await serving.close();
});

test('an invalid option is refused before the database is opened', async () => {
  const serve = (given: object) => serveAdmin({ database: '/dev/null/none', port: 0, tokens, ...given } as never);
  await expect(serve({ port: undefined })).rejects.toThrow('port');
  await expect(serve({ port: Number.NaN })).rejects.toThrow('port takes a port, 0 for a free one, not NaN');
  await expect(serve({ prot: 1 })).rejects.toThrow('Did you mean "port"?');
});
