import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { FileChanges, trackFiles, undoFileTool } from 'toolwright/tools';
import { describe, expect, test } from 'vitest';
import { contextStore, hostFiles, MemoryDocuments, memoryStore, ReadLedger, StoreFiles } from '../../src/files.js';
import {
  createToolkit,
  defaultLimits,
  editTool,
  executeTools,
  readTool,
  type ToolkitOptions,
  ToolRegistry,
} from '../../src/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function workspace(options: Omit<ToolkitOptions, 'root'> = {}, files: Record<string, string | Uint8Array> = {}) {
  const root = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
  const toolkit = createToolkit({ root, permissions: 'acceptEdits', ...options });
  const call = (name: string, input: object) => toolkit.call(name, input, { id: `call_${name}` });
  return { root, toolkit, call };
}

describe('hosts of Read', () => {
  test('a document reader of the host shows the pages of a PDF', async () => {
    const documents = { readPages: async () => ({ totalPages: 7, pages: ['the third page'] }) };
    const { root, call } = workspace({ hosts: { documents } }, { 'a.pdf': '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n\0' });
    const result = await call('Read', { file_path: join(root, 'a.pdf'), pages: '3' });
    expect(result.output).toContain('the third page');
  });

  test('an image resizer of the host makes an image fit', async () => {
    const png = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: 'red' } })
        .png()
        .toBuffer();
    const [large, small] = [await png(9_000, 10), await png(3, 2)];
    const asked: number[] = [];
    const images = {
      resize: async (_: unknown, { maxPixels }: { readonly maxPixels: number }) => {
        asked.push(maxPixels);
        return { mediaType: 'image/png', bytes: small };
      },
    };
    const { root, call } = workspace({ hosts: { images } }, { 'a.png': large });
    const result = await call('Read', { file_path: join(root, 'a.png') });
    expect(asked).toHaveLength(1);
    expect(result.ok && result.attachments?.[0]?.data).toBe(small.toString('base64'));
  });

  test('a repeated read names the call that showed the same part, only with the option', async () => {
    for (const namesUnchanged of [true, false]) {
      const { root, call } = workspace({ files: { namesUnchanged } }, { 'a.txt': 'one\n' });
      const path = join(root, 'a.txt');
      await call('Read', { file_path: path });
      expect((await call('Read', { file_path: path })).output.startsWith('[Unchanged since call call_Read')).toBe(
        namesUnchanged,
      );
      writeFileSync(path, 'two\n');
      expect((await call('Read', { file_path: path })).output).toBe('1\ttwo');
    }
  });
});

describe('manually assembled file tools', () => {
  test('factories make tools from the disk, a read ledger and an undo record', async () => {
    const root = temporaryFolder();
    const path = join(root, 'a.txt');
    writeFileSync(path, 'old\n');
    const changes = new FileChanges();
    const files = trackFiles(hostFiles({ root }), changes);
    const ledger = new ReadLedger();
    const limits = defaultLimits.write;
    const registry = new ToolRegistry().register(
      readTool({ files, ledger, limits: defaultLimits.read }),
      editTool({ files, ledger, limits, readBeforeWrite: true, syntax: undefined }),
      undoFileTool({ files, changes, ledger, limits }),
    );
    const edit = { name: 'Edit', input: { file_path: path, old_string: 'old', new_string: 'new' } };
    const { results } = await executeTools(
      [
        { id: '1', ...edit },
        { id: '2', name: 'Read', input: { file_path: path } },
        { id: '3', ...edit },
        { id: '4', name: 'UndoFile', input: { file_path: path } },
        { id: '5', name: 'Read', input: { file_path: path } },
      ],
      { registry, permissions: 'bypassPermissions', concurrency: 1 },
    );
    expect(results.map(({ ok }) => ok)).toEqual([false, true, true, true, true]);
    expect(results.at(-1)?.output).toBe('1\told');
  });

  test('stores serve parts of the tree, by user and agent', async () => {
    const root = temporaryFolder();
    const table = new MemoryDocuments();
    const written: string[] = [];
    const noted = memoryStore(table, (name) => void written.push(name));
    const memory = join(root, 'memory');
    const identity = join(root, 'identity');
    const toolkit = createToolkit({
      root,
      permissions: 'acceptEdits',
      mounts: [
        { path: memory, files: new StoreFiles({ root: memory, store: noted }) },
        { path: identity, files: new StoreFiles({ root: identity, store: contextStore(table, () => 'open') }) },
      ],
    });
    const as = async (userId: string, name: string, input: object) =>
      (await toolkit.execute([{ id: '1', name, input }], { caller: { sessionId: 's', agentId: 'a', userId } }))
        .results[0]?.output;
    await as('ann', 'Write', { file_path: join(memory, 'notes.md'), content: 'of ann\n' });
    await as('bob', 'Write', { file_path: join(identity, 'USER.md'), content: 'bob\n' });
    expect(written).toEqual(['notes.md']);
    expect(await as('ann', 'Read', { file_path: join(memory, 'notes.md') })).toBe('1\tof ann');
    expect(await as('bob', 'Read', { file_path: join(memory, 'notes.md') })).toMatch(/^Error: /);
    expect(await as('ann', 'Read', { file_path: join(identity, 'USER.md') })).toMatch(/^Error: /);
    expect(await as('bob', 'Grep', { pattern: 'bob', path: identity })).toBe(join(identity, 'USER.md'));
  });
});
