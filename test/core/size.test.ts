import { expect } from 'vitest';
import { formatSize } from '../../src/core/text/lines-and-sizes.js';
import { table } from '../support/each-row.js';

table([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1_023, '1023 bytes'],
  [1_024, '1.0 KB'],
  [12_595, '12 KB'],
  [1_572_864, '1.5 MB'],
  [5_000_000_000_000_000, '4547 TB'],
])('sizes use the largest unit', (bytes, text) => expect(formatSize(bytes)).toBe(text));
