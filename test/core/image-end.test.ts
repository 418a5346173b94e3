import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { isCutImage } from '../../src/core/media/image-size.js';

const formats = ['png', 'jpeg', 'gif', 'webp'] as const;

describe.each(formats)('%s', (format) => {
  const image = async () => {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
    return sharp({ create: { width: 40, height: 30, channels: 3, background: { r: 1, g: 2, b: 3 }, noise } })
      .toFormat(format)
      .toBuffer();
  };

  test('a whole image is not truncated, nor is one with trailing data', async () => {
    const bytes = await image();
    expect(isCutImage(bytes, `image/${format}`)).toBe(false);
    expect(isCutImage(Buffer.concat([bytes, Buffer.alloc(300, 7)]), `image/${format}`)).toBe(false);
  });

  test('an image that ends early is truncated', async () => {
    const bytes = await image();
    for (
      let length = 0;
      length < bytes.length - (format === 'png' ? 8 : 1);
      length += Math.max(1, Math.floor(bytes.length / 200))
    ) {
      expect(isCutImage(bytes.subarray(0, length), `image/${format}`), `${length} of ${bytes.length}`).toBe(true);
    }
  });
});

test('a truncated photo with a whole preview is truncated', async () => {
  const preview = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  const photo = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  const length = Buffer.alloc(2);
  length.writeUInt16BE(preview.length + 2);
  const whole = Buffer.concat([photo.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, preview, photo.subarray(2)]);
  expect(isCutImage(whole, 'image/jpeg')).toBe(false);
  expect(isCutImage(whole.subarray(0, -2), 'image/jpeg')).toBe(true);
});

test('a photo with a video behind it is whole, whatever bytes the video has', async () => {
  const photo = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .jpeg({ progressive: true })
    .toBuffer();
  const video = Buffer.from([0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70, 0xff, 0xd9, 7, 0xff, 0xda, 0xff]);
  expect(isCutImage(Buffer.concat([photo, video]), 'image/jpeg')).toBe(false);
  expect(isCutImage(photo.subarray(0, -2), 'image/jpeg')).toBe(true);
});
