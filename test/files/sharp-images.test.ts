import { sharpImages } from 'toolwright/files';
import { expect, test } from 'vitest';
import type { SharpPackage } from '../../src/files.js';
import { callScope } from '../support/call-scope.js';

/** A fake encoder whose images have one byte for each pixel of their longer side. */
function vendor(asked: number[]): SharpPackage {
  return {
    default: () => {
      let side = 0;
      const image = {
        rotate: () => image,
        resize: ({ width }: { width: number }) => {
          side = width;
          asked.push(width);
          return image;
        },
        jpeg: () => image,
        png: () => image,
        toBuffer: async () => Buffer.alloc(side),
      };
      return image;
    },
  };
}

const png = { mediaType: 'image/png', bytes: Buffer.of(1) };

test('an image is scaled down until it fits', async () => {
  const asked: number[] = [];
  const images = sharpImages(async () => vendor(asked));
  const small = await images.resize(png, { maxPixels: 8_000, maxBase64Chars: 1_000 }, callScope());
  expect(asked).toEqual([1_568, 1_045, 696]);
  expect(small).toMatchObject({ mediaType: 'image/png', bytes: { length: 696 } });
});

test('other formats are converted to JPEG', async () => {
  const images = sharpImages(async () => vendor([]));
  const small = await images.resize(
    { ...png, mediaType: 'image/webp' },
    { maxPixels: 100_000, maxBase64Chars: 1e6 },
    callScope(),
  );
  expect(small?.mediaType).toBe('image/jpeg');
});

test('gives undefined for images that cannot be reduced or read, and without the package', async () => {
  const bounds = { maxPixels: 8_000, maxBase64Chars: 1e6 };
  expect(
    await sharpImages(async () => vendor([])).resize(png, { ...bounds, maxBase64Chars: 4 }, callScope()),
  ).toBeUndefined();
  expect(await sharpImages(async () => undefined).resize(png, bounds, callScope())).toBeUndefined();
  const failing: SharpPackage = {
    default: () => {
      throw new Error('unsupported image');
    },
  };
  expect(await sharpImages(async () => failing).resize(png, bounds, callScope())).toBeUndefined();
});
