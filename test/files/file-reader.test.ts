import { deflateSync } from 'node:zlib';
import { defaultLimits, ToolError } from 'toolwright';
import { ReadLedger } from 'toolwright/files';
import { memoryFiles } from 'toolwright/testing';
import { readTool } from 'toolwright/tools';
import { describe, expect, test } from 'vitest';
import { pageRange } from '../../src/files/media/read-pdf.js';
import type { DocumentReader, ImageResizer, ReadDependencies } from '../../src/index.js';
import { toolContext } from '../support/call-scope.js';
import { eachRow, table } from '../support/each-row.js';

function reader(files: Record<string, string | Uint8Array>, options: Partial<ReadDependencies> = {}) {
  const store = memoryFiles({ files });
  const noPeers = { images: { resize: async () => undefined } };
  const tool = readTool({ files: store, ledger: new ReadLedger(), limits: defaultLimits.read, ...noPeers, ...options });
  const read = (name: string, input: Record<string, unknown> = {}, callId = 'call-1') =>
    tool.execute({ file_path: `/workspace/${name}`, ...input }, toolContext({ callId }));
  return { read, store };
}

/** A PNG file of the given size. `noise` makes it large. */
function png(width: number, height: number, noise = 0): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const data = Buffer.concat([deflateSync(Buffer.alloc(16)), Buffer.alloc(noise, 7)]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.from([3, 0, 2, 0, 0, 0, 0, 0x3b])]);
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc00011080005000703012200021101031101ffd9', 'hex');
const webp = Buffer.concat([
  Buffer.from('RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0', 'latin1'),
  Buffer.from([8, 0, 0, 6, 0, 0]),
]);

describe('images', () => {
  table([
    ['a.png', png(640, 480), 'image/png', 640, 480],
    ['a.gif', gif, 'image/gif', 3, 2],
    ['a.jpg', jpeg, 'image/jpeg', 7, 5],
    ['a.webp', webp, 'image/webp', 9, 7],
    ['named-wrongly.txt', png(2, 1), 'image/png', 2, 1],
  ])('an image is an attachment with its dimensions', async (name, bytes, mediaType, width, height) => {
    const { read } = reader({ [name]: bytes });
    const result = await read(name);
    expect(result.output).toContain(`${mediaType}, ${width} x ${height} pixels`);
    expect(result.metadata).toMatchObject({ mediaType, width, height });
    expect(result.attachments).toEqual([{ mediaType, data: bytes.toString('base64'), name }]);
  });

  table([
    [0, 0],
    [0, 4],
    [4, 0],
  ])(
    'an image with too many pixels is refused',
    async (width, height) =>
      await expect(reader({ 'a.png': png(width, height) }).read('a.png')).rejects.toMatchObject({
        code: 'unsupported_file',
      }),
  );

  const large = { 'wide.png': png(9_000, 10), 'heavy.png': png(10, 10, 4_000_000) };

  test('a large image is refused without a resizer', () =>
    eachRow(
      Object.keys(large),
      async (name) =>
        await expect(reader(large).read(name)).rejects.toMatchObject({
          code: 'file_too_large',
          message: expect.stringContaining('smaller copy'),
        }),
    ));

  test('a large image is resized by a resizer', () =>
    eachRow(Object.keys(large), async (name) => {
      const images: ImageResizer = { resize: async ({ mediaType }) => ({ mediaType, bytes: png(100, 50) }) };
      const result = await reader(large, { images }).read(name);
      expect(result.attachments?.[0]?.data).toBe(png(100, 50).toString('base64'));
      expect(result.output).toContain('100 x 50 pixels');
      expect(result.output).toContain('resized from');
    }));

  test('the result of a resizer that is still too large is refused', async () => {
    const images: ImageResizer = { resize: async (image) => image };
    await expect(reader(large, { images }).read('wide.png')).rejects.toMatchObject({ code: 'file_too_large' });
  });

  table([
    ['a.png', png(640, 480).subarray(0, 20)],
    ['b.png', png(640, 480).subarray(0, -8)],
    ['a.gif', gif.subarray(0, -1)],
    ['a.jpg', jpeg.subarray(0, -2)],
    ['b.jpg', jpeg.subarray(0, 20)],
    ['a.webp', webp.subarray(0, 20)],
  ])(
    'a truncated image is refused, because providers reject it',
    async (name, bytes) =>
      await expect(reader({ [name]: bytes }).read(name)).rejects.toMatchObject({
        code: 'unsupported_file',
        message: expect.stringContaining('cut off'),
      }),
  );

  test('a BMP image is refused, because models do not support it', async () => {
    const bmp = Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]);
    await expect(reader({ 'a.bmp': bmp }).read('a.bmp')).rejects.toMatchObject({
      code: 'unsupported_file',
      message: expect.stringContaining('BMP image'),
    });
  });
});

describe('PDF documents', () => {
  const documents: DocumentReader = {
    readPages: async (_bytes, { first, last }) => ({
      totalPages: 45,
      pages: Array.from(
        { length: Math.max(0, Math.min(45, last) - first + 1) },
        (_, index) => `text of ${first + index}`,
      ),
    }),
  };
  const pdf = { 'a.pdf': Buffer.from('%PDF-1.7\n...') };

  test('are shown by their first pages, with the next step', async () => {
    const result = await reader(pdf, { documents }).read('a.pdf');
    expect(result.output).toMatch(/^Page 1\ntext of 1\n\nPage 2\n/);
    expect(result.output).toMatch(/\[Pages 1-20 of 45; read on with pages: "21-40"\]$/);
    expect(result.metadata).toMatchObject({
      mediaType: 'application/pdf',
      totalPages: 45,
      firstPage: 1,
      pageCount: 20,
    });
  });

  test('accept a range up to the end of the document', async () => {
    const result = await reader(pdf, { documents }).read('a.pdf', { pages: '44-50' });
    expect(result.output).toBe('Page 44\ntext of 44\n\nPage 45\ntext of 45');
  });

  test('reject invalid pages', () =>
    eachRow(
      ['0', '5-3', '1-21', 'all', '', '1,3'],
      async (pages) =>
        await expect(reader(pdf, { documents }).read('a.pdf', { pages })).rejects.toMatchObject({
          code: 'invalid_input',
        }),
    ));

  test('reject pages past the end with the number of pages', async () =>
    await expect(reader(pdf, { documents }).read('a.pdf', { pages: '46' })).rejects.toThrow(/45 pages/));

  test('end a range at the end of the document', async () => {
    expect((await reader(pdf, { documents }).read('a.pdf', { pages: '44-99' })).metadata).toMatchObject({
      firstPage: 44,
      pageCount: 2,
    });
    await expect(reader(pdf, { documents }).read('a.pdf', { pages: '5-99' })).rejects.toThrow(
      'pages asks for 41 pages; at most 20 are shown at once.',
    );
  });

  test('accept several forms of a range', () => {
    expect(pageRange('3', 20)).toEqual({ first: 3, last: 3 });
    expect(pageRange(' 1 - 5 ', 20)).toEqual({ first: 1, last: 5 });
    expect(pageRange('7-', 20)).toEqual({ first: 7, last: 26 });
  });

  test('pages of a text file are refused', async () =>
    await expect(reader({ a: 'x' }).read('a', { pages: '1' })).rejects.toMatchObject({ code: 'invalid_input' }));
});

describe('notebooks', () => {
  test('with control characters in a cell are shown as JSON', async () => {
    const cell = { cell_type: 'code', source: 'a\u0000b', outputs: [], metadata: {}, execution_count: 1 };
    const json = JSON.stringify({ nbformat: 4, nbformat_minor: 4, metadata: {}, cells: [cell] });
    const { output, metadata } = await reader({ 'n.ipynb': json }).read('n.ipynb');
    expect(output).toBe(`1\t${json}`);
    expect(metadata).toMatchObject({ lineCount: 1 });
  });

  const plot = png(6, 4).toString('base64');
  const notebook = {
    cells: [
      {
        cell_type: 'code',
        id: 'a1',
        metadata: {},
        source: ['x = 1\n', 'print(x)'],
        execution_count: 3,
        outputs: [{ output_type: 'stream', name: 'stdout', text: ['1\n'] }],
      },
      { cell_type: 'markdown', metadata: {}, source: '# Title' },
      {
        cell_type: 'code',
        metadata: {},
        source: 'plot()',
        execution_count: null,
        outputs: [
          {
            output_type: 'display_data',
            data: { 'image/png': `${plot.slice(0, 40)}\n${plot.slice(40)}\n`, 'text/plain': '<Figure>' },
          },
          { output_type: 'error', ename: 'E', evalue: 'v', traceback: ['\u001b[31mE\u001b[0m: v'] },
        ],
      },
    ],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  };

  test('are shown as cells with outputs, in numbered lines, and images as attachments', async () => {
    expect((await reader({ 'N.IPYNB': JSON.stringify(notebook) }).read('N.IPYNB')).metadata).toHaveProperty(
      'cellCount',
    );
    const result = await reader({ 'n.ipynb': JSON.stringify(notebook) }).read('n.ipynb');
    const lines = result.output.split('\n').map((line) => line.replace(/^\d+\t/, ''));
    expect(lines).toEqual([
      '[Cell a1: code, run 3]',
      'x = 1',
      'print(x)',
      '[Output of a1]',
      '1',
      '',
      '[Cell cell-1: markdown]',
      '# Title',
      '',
      '[Cell cell-2: code]',
      'plot()',
      '[Output of cell-2]',
      '[image/png: cell-2-1]',
      '[Output of cell-2]',
      'E: v',
    ]);
    expect(result.attachments).toEqual([{ mediaType: 'image/png', data: plot, name: 'cell-2-1' }]);
    expect(result.metadata).toMatchObject({ cellCount: 3 });
  });

  const { maxImagePixels, maxImageBase64Chars } = defaultLimits.read;
  const wide = png(maxImagePixels + 1, 2);
  const makesSmall: ImageResizer = { resize: async () => ({ mediaType: 'image/png', bytes: png(5, 5) }) };
  const small = { mediaType: 'image/png', data: png(5, 5).toString('base64') };
  test('attach a valid image of an output', () =>
    eachRow<[string, { type?: string; bytes: Buffer | string; images?: ImageResizer }, object | string]>(
      [
        ['as it is where a model can look at it', { bytes: png(6, 4) }, { mediaType: 'image/png', data: plot }],
        [
          'as what it is, not what the notebook calls it',
          { bytes: gif },
          { mediaType: 'image/gif', data: gif.toString('base64') },
        ],
        ['not where it is cut off', { bytes: png(6, 4).subarray(0, 50) }, 'cut off or damaged'],
        ['not where it is no image', { bytes: Buffer.from('<html>') }, 'cut off or damaged'],
        ['not where it is no base64', { bytes: '\u0000{{}}' }, 'cut off or damaged'],
        ['not where it is empty', { bytes: '' }, 'cut off or damaged'],
        ['not where it is wider than a model takes', { bytes: wide }, 'too large for a model'],
        [
          'not where it has more bytes than a model takes',
          { bytes: png(6, 4, maxImageBase64Chars) },
          'too large for a model',
        ],
        ['made smaller by the host', { bytes: wide, images: makesSmall }, small],
        [
          'not where what the host made is no smaller',
          { bytes: wide, images: { resize: async (image) => image } },
          'too large for a model',
        ],
        [
          'not where the host fails',
          { bytes: wide, images: { resize: () => Promise.reject(new Error('no')) } },
          'too large for a model',
        ],
      ],
      async ([, { type = 'image/png', bytes, images }, expected]) => {
        const data = typeof bytes === 'string' ? bytes : bytes.toString('base64');
        const outputs = [
          { output_type: 'execute_result', data: { [type]: data } },
          { output_type: 'display_data', data: { [type]: [`${plot}\n`] } },
        ];
        const json = JSON.stringify({
          cells: [{ cell_type: 'code', id: 'c', source: '', outputs }],
          nbformat: 4,
          nbformat_minor: 5,
        });
        const read = reader({ 'n.ipynb': json }, images === undefined ? {} : { images }).read;
        const { output, attachments } = await read('n.ipynb');
        const sound = { mediaType: 'image/png', data: plot, name: 'c-2' };
        expect(attachments).toEqual(typeof expected === 'string' ? [sound] : [{ ...expected, name: 'c-1' }, sound]);
        expect(output.split('\n').at(-1)).toBe(
          typeof expected === 'string' ? `[Not attached: c-1 (${expected})]` : '6\t[image/png: c-2]',
        );
        expect(await read('n.ipynb', { offset: 4 })).not.toHaveProperty('attachments');
      },
    ));

  test('are shown page by page', async () => {
    const { read } = reader({ 'n.ipynb': JSON.stringify(notebook) });
    expect((await read('n.ipynb', { offset: 2, limit: 1 })).output).toBe(
      '2\tx = 1\n[Lines 2-2 of 15; read on with offset: 3]',
    );
  });

  test('are shown as text if they are invalid', async () =>
    expect((await reader({ 'n.ipynb': '{]\n' }).read('n.ipynb')).output).toBe('1\t{]'));
});

describe('a repeated read', () => {
  test('names the earlier call, with the option', async () => {
    const { read, store } = reader({ a: 'x\ny\n' }, { namesUnchanged: true });
    await read('a', {}, 'one');
    expect((await read('a', {}, 'two')).output).toBe('[Unchanged since call one, which showed the same part]');
    expect((await read('a', { offset: 2 }, 'three')).output).toBe('2\ty');
    store.set('a', 'x\nz\n');
    expect((await read('a', { offset: 2 }, 'four')).output).toBe('2\tz');
  });

  test('shows the file again, without the option', async () => {
    const { read } = reader({ a: 'x\n' });
    await read('a', {}, 'one');
    expect((await read('a', {}, 'two')).output).toBe('1\tx');
  });
});

test('a PDF document without the optional package is refused with the package to install', async () => {
  const { pdfDocuments } = await import('../../src/files/media/pdf-documents.js');
  const missing = pdfDocuments(() => Promise.reject(new ToolError('not_configured', 'npm install unpdf')));
  await expect(
    reader({ 'a.pdf': Buffer.from('%PDF-1.7') }, { documents: missing }).read('a.pdf'),
  ).rejects.toMatchObject({ code: 'not_configured' });
});
