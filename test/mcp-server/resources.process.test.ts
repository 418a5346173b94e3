import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createPermissions } from 'toolwright';
import { describe, expect, test } from 'vitest';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { servedToolkit } from './served-toolkit.js';

const addressOf = (...parts: readonly string[]) => pathToFileURL(join(...parts)).href;

describe('the files of the roots are resources', () => {
  test('are listed in pages, without files that rules and ignore files hide', async () => {
    const [root, other] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(join(root, 'b'));
    for (const name of ['a.txt', 'b/c d.txt', 'b/ignored', 'secret.env']) writeFileSync(join(root, name), name);
    writeFileSync(join(root, '.gitignore'), 'ignored\n');
    writeFileSync(join(other, 'e.txt'), '');
    const permissions = createPermissions({ deny: ['Read(**/*.env)'] });
    const options = { root, additionalRoots: [other], permissions };
    const { connect } = await servedToolkit(options, { limits: { maxPageResources: 2 } });
    const client = await connect();
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listResources({ cursor });
      pages.push(page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(pages.every((page) => page.length <= 2)).toBe(true);
    expect(pages.flat().sort()).toEqual(
      [
        addressOf(root, '.gitignore'),
        addressOf(root, 'a.txt'),
        addressOf(root, 'b/c d.txt'),
        addressOf(other, 'e.txt'),
      ].sort(),
    );
    await expect(client.listResources({ cursor: '!' })).rejects.toThrow(/cursor/);
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([{ uriTemplate: 'file://{+path}' }]);
  });

  test('are listed within the limits of the toolkit, unless the server has its own', async () => {
    const root = temporaryFolder();
    for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(join(root, name), name);
    const limits = { mcpServer: { maxPageResources: 1 } };
    const sizes = [undefined, { maxPageResources: 2 }, { maxSessions: 5 }].map(async (own) => {
      const client = await (await servedToolkit({ root, limits }, { limits: own })).connect();
      return (await client.listResources()).resources.length;
    });
    expect(await Promise.all(sizes)).toEqual([1, 2, 1]);
  });

  test('are listed beyond the limit of a search', async () => {
    const root = temporaryFolder();
    for (let index = 0; index < 150; index++) writeFileSync(join(root, `${index}-${'x'.repeat(200)}`), '');
    const { connect, toolkit } = await servedToolkit({ root, limits: { glob: { maxListed: 140 } } });
    expect((await (await connect()).listResources()).resources.length).toBe(140);
    expect((await toolkit.files.list()).length).toBe(140);
  });

  test('are read whole: text as stored, other content as bytes', async () => {
    const root = temporaryFolder();
    const text = `first\r\n${'long line '.repeat(5_000)}\n${'line\n'.repeat(50_000)}end`;
    writeFileSync(join(root, 'long.txt'), text);
    writeFileSync(join(root, 'utf16.txt'), Buffer.from('\ufeffHello', 'utf16le'));
    writeFileSync(join(root, 'bytes'), Buffer.from([0, 1, 2, 255]));
    writeFileSync(join(root, 'empty'), '');
    const { connect } = await servedToolkit({ root });
    const client = await connect();
    const read = async (name: string) => (await client.readResource({ uri: addressOf(root, name) })).contents;
    expect(await read('long.txt')).toEqual([{ uri: addressOf(root, 'long.txt'), mimeType: 'text/plain', text }]);
    expect(await read('utf16.txt')).toMatchObject([{ text: 'Hello' }]);
    expect(await read('bytes')).toMatchObject([{ mimeType: 'application/octet-stream', blob: 'AAEC/w==' }]);
    expect(await read('empty')).toMatchObject([{ text: '' }]);
  });

  test('are scrubbed, and read through every stage of a call', async () => {
    const root = temporaryFolder();
    const key = ['ghp', 'a1B2'.repeat(9)].join('_');
    writeFileSync(join(root, 'config'), `token = ${key}\n`);
    writeFileSync(join(root, 'kept'), 'no\n');
    const heard: unknown[] = [];
    const { connect } = await servedToolkit({
      root,
      hooks: {
        PreToolUse: [
          {
            matcher: 'Read',
            hooks: [
              ({ input }) => {
                heard.push(input);
                return JSON.stringify(input).includes('kept') ? { decision: 'deny', reason: 'kept back' } : {};
              },
            ],
          },
        ],
      },
    });
    const client = await connect();
    const { contents } = await client.readResource({ uri: addressOf(root, 'config') });
    expect(JSON.stringify(contents)).not.toContain(key);
    await expect(client.readResource({ uri: addressOf(root, 'kept') })).rejects.toThrow(/kept back/);
    expect(heard.length).toBe(2);
  });

  test('are refused if hidden, outside, missing, too large, or not a file address', async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'secret.env'), 'x');
    writeFileSync(join(root, 'large'), 'x'.repeat(2_000));
    mkdirSync(join(root, 'folder'));
    symlinkSync('/etc/passwd', join(root, 'link'));
    const permissions = createPermissions({ deny: ['Read(**/*.env)'] });
    const { connect } = await servedToolkit({ root, permissions, limits: { read: { maxWholeBytes: 1_000 } } });
    const client = await connect();
    const at = (name: string) => addressOf(root, name);
    const rows: readonly (readonly [uri: string, message: RegExp])[] = [
      [at('secret.env'), /denies this call/],
      [at('../outside'), /outside the workspace/],
      [at('link'), /outside the workspace/],
      [at('a.tx'), /^MCP error -32002: File not found/],
      [at('folder'), /director|folder/i],
      [at('large'), /too large/],
      ['https://example.com/a', /address of a file/],
      ['no address', /address of a file/],
      ['file://host/a', /address of a file/],
    ];
    await eachRow(rows, ([uri, message]) => expect(client.readResource({ uri })).rejects.toThrow(message));
  });

  test('are not read if Read is disabled or replaced', async () => {
    const { connect, toolkit, root } = await servedToolkit();
    writeFileSync(join(root, 'a.txt'), '');
    const client = await connect();
    toolkit.registry.disable('Read');
    await expect(client.readResource({ uri: addressOf(root, 'a.txt') })).rejects.toThrow(/disabled/);
    toolkit.registry.enable('Read').unregister('Read');
    await expect(client.readResource({ uri: addressOf(root, 'a.txt') })).rejects.toThrow(/replaced/);
  });
});
