import { MemoryDocuments } from 'toolwright/files';
import { expect, test } from 'vitest';

const mine = { agentId: 'a', userId: 'u' };
const common = { agentId: 'a', userId: undefined };

test('documents belong to an owner', async () => {
  const table = new MemoryDocuments(() => 7);
  await table.put(mine, 'b', Buffer.from('1'));
  await table.put(mine, 'a', Buffer.from('2'));
  expect(await table.names(mine)).toEqual(['a', 'b']);
  expect(await table.names(common)).toEqual([]);
  expect(await table.get(common, 'a')).toBeUndefined();
  expect(await table.get(mine, 'b')).toMatchObject({ bytes: Buffer.from('1'), mtimeMs: 7 });
});

test('content is copied, and each change has a new version', async () => {
  const table = new MemoryDocuments();
  const bytes = Buffer.from('x');
  await table.put(mine, 'a', bytes);
  bytes.write('y');
  const first = await table.get(mine, 'a');
  await table.put(mine, 'a', Buffer.from('x'));
  expect(Buffer.from(first?.bytes ?? []).toString()).toBe('x');
  expect((await table.get(mine, 'a'))?.version).not.toBe(first?.version);
});

test('owners with similar keys are different', async () => {
  const table = new MemoryDocuments();
  await table.put({ agentId: 'a","b', userId: undefined }, 'x', Buffer.of());
  expect(await table.names({ agentId: 'a', userId: 'b' })).toEqual([]);
  expect(await table.delete({ agentId: 'a","b', userId: undefined }, 'x')).toBe(true);
});
