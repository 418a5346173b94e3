import { ReadLedger } from 'toolwright/files';
import { expect, test } from 'vitest';

const one = { sessionId: 's1' };
const text = (value: string) => Buffer.from(value);

test('content too large to hash is compared by its version', () => {
  const ledger = new ReadLedger({ hashMaxBytes: 3 });
  ledger.noteWritten(one, '/a', 'v1', [text('long'), text('er')]);
  expect(ledger.compare(one, '/a', 'v1', text('longer'))).toBe('fresh');
  expect(ledger.compare(one, '/a', 'v2', text('longer'))).toBe('stale');
});

test('sessions and agents have separate ledgers', () => {
  const ledger = new ReadLedger();
  ledger.noteWritten(one, '/a', 'v1', [text('x')]);
  expect(ledger.compare({ sessionId: 's2' }, '/a', 'v1', text('y'))).toBe('unseen');
  expect(ledger.compare({ ...one, agentId: 'helper' }, '/a', 'v1', text('y'))).toBe('unseen');
});

test('the least recently read files are dropped first', () => {
  const ledger = new ReadLedger();
  for (let index = 0; index <= 10_000; index++) ledger.note(one, { path: `/${index}`, version: 'v', hash: undefined });
  expect(ledger.compare(one, '/0', 'v', text(''))).toBe('unseen');
  expect(ledger.compare(one, '/1', 'v', text(''))).toBe('fresh');
});
