import { expect, test } from 'vitest';
import { isSendableImage, isSendablePdf } from '../../src/adapters/sendable-media.js';
import { eachRow } from '../support/each-row.js';
import { pixel } from './results.js';

const largest = 'A'.repeat(5 * 1024 * 1024);

const images = [
  ['image/png', pixel, true],
  ['image/jpeg', pixel, true],
  ['image/gif', pixel, true],
  ['image/webp', pixel, true],
  ['image/png', largest, true],
  ['image/png', `${largest}AAAA`, false],
  ['image/svg+xml', pixel, false],
  ['IMAGE/PNG', pixel, false],
  ['application/pdf', pixel, false],
  ['image/png', '', false],
  ['image/png', 'not base64!', false],
  ['image/png', 'AAA', false],
  ['image/png', 'AA=A', false],
] as const;
test('an image of a supported type and size can be sent', () =>
  eachRow(images, ([mediaType, data, expected]) => expect(isSendableImage({ mediaType, data })).toBe(expected)));

const documents = [
  ['application/pdf', pixel, true],
  ['application/pdf', largest.repeat(8), true],
  ['application/pdf', '====', false],
  ['application/pdf', '', false],
  ['text/plain', pixel, false],
] as const;
test('a document of a supported type and size can be sent as PDF', () =>
  eachRow(documents, ([mediaType, data, expected]) => expect(isSendablePdf({ mediaType, data })).toBe(expected)));
