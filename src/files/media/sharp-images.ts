import { defaultLimits, type Limits } from '../../core/limits.js';
import { optionalPackage } from '../../core/support/optional-package.js';
import type { ImageResizer } from '../../ports/image-resizer.js';

interface SharpImage {
  rotate(): SharpImage;
  resize(options: { width: number; height: number; fit: 'inside'; withoutEnlargement: true }): SharpImage;
  jpeg(options: { quality: number }): SharpImage;
  png(): SharpImage;
  toBuffer(): Promise<Buffer>;
}

/** The part of the package `sharp` that is used. */
export interface SharpPackage {
  readonly default: (bytes: Uint8Array, options: { limitInputPixels: number }) => SharpImage;
}

// Smaller images are not legible.
const leastPixels = 200;

/** Resizes images with the optional package `sharp`. Returns undefined if it is missing or cannot read the image. */
export function sharpImages(
  load: () => Promise<SharpPackage | undefined> = loadSharp,
  {
    resizedImagePixels,
    maxUnpackedPixels,
  }: Pick<Limits['read'], 'resizedImagePixels' | 'maxUnpackedPixels'> = defaultLimits.read,
): ImageResizer {
  return {
    async resize({ mediaType, bytes }, { maxPixels, maxBase64Chars }, { signal }) {
      const vendor = await load();
      if (vendor === undefined) return undefined;
      const form = mediaType === 'image/png' ? 'image/png' : 'image/jpeg';
      for (
        let pixels = Math.min(resizedImagePixels, maxPixels);
        pixels >= leastPixels;
        pixels = Math.floor(pixels / 1.5)
      ) {
        signal.throwIfAborted();
        const open = () => vendor.default(bytes, { limitInputPixels: maxUnpackedPixels });
        const small = await shrink(open, pixels, form).catch(() => undefined);
        if (small === undefined) return undefined;
        if (Math.ceil(small.length / 3) * 4 <= maxBase64Chars) return { mediaType: form, bytes: small };
      }
      return undefined;
    },
  };
}

async function shrink(open: () => SharpImage, pixels: number, form: 'image/png' | 'image/jpeg'): Promise<Buffer> {
  const image = open().rotate().resize({ width: pixels, height: pixels, fit: 'inside', withoutEnlargement: true });
  return await (form === 'image/png' ? image.png() : image.jpeg({ quality: 80 })).toBuffer();
}

async function loadSharp(): Promise<SharpPackage | undefined> {
  return (await optionalPackage('sharp').catch(() => undefined)) as SharpPackage | undefined;
}
