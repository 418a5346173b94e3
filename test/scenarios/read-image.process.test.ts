import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { hostFiles, ReadLedger, sharpImages } from 'toolwright/files';
import { readTool } from 'toolwright/tools';
import { describe, expect, test } from 'vitest';
import { defaultLimits, type ToolCallResult } from '../../src/index.js';
import { toolContext } from '../support/call-scope.js';
import { caseWorld } from '../support/case-world.js';
import { table } from '../support/each-row.js';
import { sample } from '../support/runs.js';

type Format = 'png' | 'jpeg' | 'gif' | 'webp';

const { maxImageBase64Chars, maxImagePixels } = defaultLimits.read;

/** An image of one colour, or of noise, which no format compresses well. */
async function imageOf(format: Format, width: number, height: number, isNoise = false): Promise<Buffer> {
  const colour = { r: 200, g: 30, b: 90 };
  const plain = { width, height, channels: 3 as const, background: colour };
  const noise = { ...plain, noise: { type: 'gaussian' as const, mean: 128, sigma: 60 } };
  const image = sharp({ create: isNoise ? noise : plain, limitInputPixels: false });
  if (format === 'jpeg') return image.jpeg({ quality: 100 }).toBuffer();
  return (format === 'webp' ? image.webp({ lossless: true, effort: 0 }) : image[format]()).toBuffer();
}

async function readImage(bytes: Buffer, name = 'image'): Promise<ToolCallResult> {
  const { root, call } = caseWorld();
  writeFileSync(join(root, name), bytes);
  return call('Read', { file_path: join(root, name) });
}

/** A read by a manually assembled tool. */
function readBy(bytes: Buffer, more: Partial<Parameters<typeof readTool>[0]>) {
  const { root } = caseWorld();
  const path = join(root, 'image.png');
  writeFileSync(path, bytes);
  const tool = readTool({ files: hostFiles({ root }), ledger: new ReadLedger(), limits: defaultLimits.read, ...more });
  return tool.execute({ file_path: path }, toolContext());
}

function attachmentOf(result: ToolCallResult) {
  expect(result).toMatchObject({ ok: true });
  const [attachment] = (result.ok && result.attachments) || [];
  if (attachment === undefined) throw new Error(`no attachment: ${result.output}`);
  return { ...attachment, bytes: Buffer.from(attachment.data, 'base64') };
}

describe.each<Format>(['png', 'jpeg', 'gif', 'webp'])('%s', (format) => {
  table([
    [1, 1],
    [640, 480],
    [33, 2_000],
    [maxImagePixels, 10],
  ])('is returned unchanged if it fits', async (width, height) => {
    const bytes = await imageOf(format, width, height);
    const result = await readImage(bytes);
    expect(attachmentOf(result)).toMatchObject({ mediaType: `image/${format}`, data: bytes.toString('base64') });
    expect(result.metadata).toMatchObject({ mediaType: `image/${format}`, width, height, size: bytes.length });
    expect(result.output).toContain(`${width} x ${height} pixels`);
  });

  table([
    [maxImagePixels + 1, 20],
    [20, maxImagePixels + 1],
    [9_000, 4_500],
  ])('is scaled down otherwise, and keeps its format', async (width, height) => {
    const result = await readImage(await imageOf(format, width, height));
    const { bytes, mediaType, data } = attachmentOf(result);
    const { width: newWidth = 0, height: newHeight = 0, format: newFormat } = await sharp(bytes).metadata();
    expect(`image/${newFormat}`).toBe(mediaType);
    expect(Math.max(newWidth, newHeight)).toBeLessThanOrEqual(defaultLimits.read.resizedImagePixels);
    expect(newWidth >= newHeight).toBe(width >= height);
    expect(data.length).toBeLessThanOrEqual(maxImageBase64Chars);
    expect(result.output).toContain(`resized from ${width} x ${height} pixels`);
    expect(result.metadata).toMatchObject({ mediaType, width: newWidth, height: newHeight });
  });
});

test.each(sample<Format>(['png', 'jpeg', 'webp']))('a heavy %s is compressed', async (format) => {
  const bytes = await imageOf(format, 2_400, 2_400, true);
  expect(Math.ceil(bytes.length / 3) * 4).toBeGreaterThan(maxImageBase64Chars);
  const { data } = attachmentOf(await readImage(bytes));
  expect(data.length).toBeLessThanOrEqual(maxImageBase64Chars);
});

test('a photo keeps the orientation of its camera', async () => {
  const bytes = await sharp(await imageOf('jpeg', 9_000, 300))
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const { width = 0, height = 0 } = await sharp(attachmentOf(await readImage(bytes)).bytes).metadata();
  expect(height).toBeGreaterThan(width);
});

test('transparency stays in PNG', async () => {
  const clear = {
    create: { width: 9_000, height: 100, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  };
  const { bytes } = attachmentOf(await readImage(await sharp(clear).png().toBuffer()));
  expect((await sharp(bytes).metadata()).hasAlpha).toBe(true);
});

describe('is refused with the next step', () => {
  test('a large damaged image, or one too large for memory', async () => {
    for (const bytes of [(await imageOf('png', 9_000, 9_000)).subarray(0, 300), await imageOf('png', 16_000, 16_000)])
      expect(await readImage(bytes)).toMatchObject({ ok: false, error: { code: 'file_too_large' } });
  });

  table(['tiff', 'avif'] as const)('a format that models do not accept', async (format) => {
    const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      [format]()
      .toBuffer();
    expect(await readImage(bytes)).toMatchObject({ ok: false, error: { code: 'unsupported_file' } });
  });

  test('a large image without the package', async () => {
    const images = sharpImages(async () => undefined);
    await expect(readBy(await imageOf('png', 9_000, 10), { images })).rejects.toMatchObject({
      code: 'file_too_large',
      message: expect.stringMatching(/9000 x 10 pixels.*npm install sharp/s),
    });
  });

  test('an image over the maximum size', async () => {
    const limits = { ...defaultLimits.read, maxImageBytes: 10 };
    await expect(readBy(await imageOf('png', 10, 10), { limits })).rejects.toMatchObject({ code: 'file_too_large' });
  });
});

test('a small truncated image is refused, because every later request would fail', async () => {
  const bytes = (await imageOf('png', 10, 10)).subarray(0, 20);
  expect(await readImage(bytes)).toMatchObject({ ok: false, error: { code: 'unsupported_file' } });
});
