import { expect, test } from 'vitest';
import { imageSize } from '../../src/core/media/image-size.js';
import { eachRow, table } from '../support/each-row.js';

const ascii = (text: string) => Buffer.from(text, 'latin1');

table([
  ['image/png', Buffer.from('89504e470d0a1a0a0000000d4948445200000280000001e0', 'hex'), 640, 480],
  ['image/gif', Buffer.concat([ascii('GIF89a'), Buffer.from('03000200', 'hex')]), 3, 2],
  ['image/bmp', Buffer.concat([Buffer.alloc(18), Buffer.from('05000000f9ffffff', 'hex')]), 5, 7],
  [
    'image/webp',
    Buffer.concat([ascii('RIFF\0\0\0\0WEBPVP8X'), Buffer.alloc(8), Buffer.from('080000060000', 'hex')]),
    9,
    7,
  ],
  [
    'image/webp',
    Buffer.concat([ascii('RIFF\0\0\0\0WEBPVP8 '), Buffer.alloc(10), Buffer.from('40016400', 'hex')]),
    320,
    100,
  ],
  [
    'image/webp',
    Buffer.concat([
      ascii('RIFF\0\0\0\0WEBPVP8L'),
      Buffer.alloc(4),
      Buffer.from('2f', 'hex'),
      Buffer.from('09c00400', 'hex'),
    ]),
    10,
    20,
  ],
  ['image/jpeg', Buffer.from('ffd8ffe000044a46ffffc400040000ffc2000b080005000703', 'hex'), 7, 5],
])('the size of an image', (type, bytes, width, height) => expect(imageSize(bytes, type)).toEqual({ width, height }));

test('a truncated image has no size', () =>
  eachRow(['image/png', 'image/gif', 'image/bmp', 'image/webp', 'image/jpeg', 'text/plain'], (type) => {
    expect(imageSize(Buffer.from('ffd8ff', 'hex'), type)).toBeUndefined();
    expect(imageSize(Buffer.alloc(0), type)).toBeUndefined();
  }));
