import { expect, test } from 'vitest';
import { sniffMediaType } from '../../src/core/media/sniff.js';
import { eachRow, table } from '../support/each-row.js';

table([
  ['89504e470d0a1a0a', 'image/png'],
  ['ffd8ffe0', 'image/jpeg'],
  [Buffer.from('GIF89a').toString('hex'), 'image/gif'],
  [Buffer.from('RIFF1234WEBP').toString('hex'), 'image/webp'],
  [Buffer.from('%PDF-1.7').toString('hex'), 'application/pdf'],
  ['504b0304', 'application/zip'],
  ['1f8b08', 'application/gzip'],
  ['7f454c46', 'application/x-elf'],
  [Buffer.from('SQLite format 3\0').toString('hex'), 'application/vnd.sqlite3'],
  [`${'00'.repeat(257)}${Buffer.from('ustar').toString('hex')}`, 'application/x-tar'],
])('types are detected by the first bytes', (hex, type) =>
  expect(sniffMediaType(Buffer.from(hex, 'hex'))?.type).toBe(type),
);

test('other bytes have no known type', () =>
  eachRow(['', '00', Buffer.from('hello').toString('hex')], (hex) =>
    expect(sniffMediaType(Buffer.from(hex, 'hex'))).toBeUndefined(),
  ));
