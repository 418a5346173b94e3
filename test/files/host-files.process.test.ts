import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { defaultLimits, ToolError } from 'toolwright';
import { hostFiles } from 'toolwright/files';
import { nodeDisk } from 'toolwright/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { plainQuery } from '../../src/conformance/file-system-trial.js';
import { isInside } from '../../src/core/text/path-names.js';
import type { HostFiles } from '../../src/files.js';
import type { Disk } from '../../src/testing/index.js';
import { callScope } from '../support/call-scope.js';
import { eachRow, samples } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const marker = 'OUTSIDE-MARKER';

/** A workspace `ws` beside a folder `out` with a secret, and a sibling with a similar name. */
function place(options: Partial<ConstructorParameters<typeof HostFiles>[0]> = {}) {
  const base = temporaryFolder();
  const ws = join(base, 'ws');
  const out = join(base, 'out');
  for (const folder of [join(ws, 'src'), out, `${ws}_old`]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(ws, 'src', 'b.txt'), 'b\n');
  writeFileSync(join(out, 'secret.txt'), marker);
  writeFileSync(join(`${ws}_old`, 'secret.txt'), marker);
  const files = hostFiles({ root: ws, limits: defaultLimits, ...options });
  return { base, ws, out, files };
}

/** Runs all file operations with a path, and returns their codes. */
async function attempt(files: HostFiles, path: string): Promise<Record<string, string>> {
  const scope = callScope();
  const verbs: Record<string, () => Promise<unknown>> = {
    resolve: () => files.resolve(path, scope),
    stat: () => files.stat(path, scope),
    open: async () => {
      const file = await files.open(path, scope);
      try {
        const buffer = Buffer.alloc(100);
        expect(buffer.toString('utf8', 0, await file.read(buffer, 0))).not.toContain(marker);
      } finally {
        await file.close();
      }
    },
    update: () => files.update(path, () => ({ slices: [Buffer.from('NEW-CONTENT\n')] }), scope),
    remove: () => files.remove(path, scope),
    list: () => files.list(path, scope),
  };
  const codes: Record<string, string> = {};
  for (const [name, verb] of Object.entries(verbs)) {
    codes[name] = await verb().then(
      () => 'ok',
      (thrown) => (ToolError.is(thrown) ? thrown.code : `${thrown}`),
    );
  }
  return codes;
}

function snapshot(folder: string): unknown {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? [path, readFileSync(path, 'utf8'), statSync(path).mode] : [path];
    })
    .sort();
}

/** A path, and the links that are created before: `WS` means the workspace, `OUT` the folder outside. */
type Trial = readonly [path: string, links?: Readonly<Record<string, string>>];

const escapes: readonly Trial[] = [
  ...samples`
    WS/src/../../out/secret.txt ¦ WS/../out/new.txt ¦ WS/none/../../out/secret.txt
    WS//src///..//..//out//secret.txt ¦ WS_old/secret.txt ¦ OUT/secret.txt ¦ /etc/hosts ¦ / ¦ OUT/.. ¦ /proc/self/environ
    /proc/self/rootOUT/secret.txt ¦ /proc/self/cwd/package.json ¦ /dev/zero ¦ src/b.txt ¦ ../out/secret.txt ¦ ~/.bashrc
    file://OUT/secret.txt ¦ C:\Windows\win.ini ¦ C:/Windows/win.ini ¦ \\server\share\x ¦ WS/src\..\..\out\secret.txt
  `.map((path) => [path] as const),
  [`WS${'/..'.repeat(30)}/etc/hosts`],
  [join(homedir(), '.bashrc')],
  ['WS/k', { k: 'OUT/secret.txt' }],
  ['WS/k', { k: '../out/secret.txt' }],
  ['WS/d', { d: 'OUT' }],
  ['WS/d/secret.txt', { d: 'OUT' }],
  ['WS/d/n.txt', { d: 'OUT' }],
  ['WS/d/x/y/n.txt', { d: 'OUT' }],
  ['WS/dang', { dang: 'OUT/made.txt' }],
  ['WS/dang', { dang: '../out/made.txt' }],
  ['WS/b', { a: 'OUT/m', b: 'a' }],
  ['WS/b/secret.txt', { a: 'OUT', b: 'a' }],
  ['WS/d/../secret.txt', { d: 'OUT/deep' }],
  ['WS/d/../n.txt', { d: 'OUT/deep' }],
  ['WS/up/out/secret.txt', { up: '..' }],
  ['WS/r/etc/hosts', { r: '/' }],
  ['WS/z', { z: '/dev/zero' }],
  ['WS/a', { a: 'b', b: 'a' }],
  ['WS/src/b.txt\0'],
  ['WS/src/b.txt\0.png'],
  [''],
  [`WS/${'d/'.repeat(3_000)}x`],
  [`WS/${'n'.repeat(300)}`],
  ['WS/\ud800'],
];

/** A workspace with the links of a trial, and the path of the trial. */
function tried([path, links = {}]: Trial) {
  const at = place();
  const written = (text: string) => text.replace('WS', at.ws).replace('OUT', at.out);
  mkdirSync(join(at.out, 'deep'));
  for (const [name, target] of Object.entries(links)) symlinkSync(written(target), join(at.ws, name));
  return { ...at, path: written(path) };
}

describe('no operation reaches files outside the roots', () => {
  test('by any path', () =>
    eachRow(escapes, async (trial) => {
      const at = tried(trial);
      const before = snapshot(at.out);
      const codes = await attempt(at.files, at.path);
      for (const [verb, code] of Object.entries(codes))
        expect(code, verb).toMatch(/^(?:path_outside_root|path_not_absolute|invalid_input|not_a_file|file_not_found)$/);
      expect(snapshot(at.out)).toEqual(before);
    }));

  test.each(['open', 'update', 'remove', 'list'] as const)(
    'also if %s finds a folder swapped for a link right before it is used',
    async (verb) => {
      let swap = () => {};
      const open: Disk['open'] = (...parameters) => {
        swap();
        swap = () => {};
        return nodeDisk.open(...parameters);
      };
      const { ws, out, files } = place({ disk: { ...nodeDisk, open } });
      for (const folder of [join(ws, 'd', 'sub'), join(out, 'sub')]) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, 'f.txt'), marker);
      }
      const before = snapshot(out);
      swap = () => {
        renameSync(join(ws, 'd'), join(ws, 'away'));
        symlinkSync(out, join(ws, 'd'));
      };
      const [scope, path] = [callScope(), join(ws, 'd', 'sub', 'f.txt')];
      const done = {
        open: () => files.open(path, scope),
        update: () => files.update(path, () => ({ slices: [Buffer.from('new')] }), scope),
        remove: () => files.remove(path, scope),
        list: () => files.list(dirname(path), scope),
      };
      await expect(done[verb]()).rejects.toMatchObject({ code: 'path_outside_root' });
      expect(snapshot(out)).toEqual(before);
    },
  );

  test('nor reveals what exists there: a file, a cycle of links or nothing', async () => {
    const at = place();
    symlinkSync('circle', join(at.out, 'circle'));
    const told = await Promise.all(
      ['secret.txt/../x', 'circle/x', 'missing/../x'].map((name) =>
        at.files.resolve(`${at.out}/${name}`, callScope()).catch(({ code, message }) => [code, message.includes(name)]),
      ),
    );
    expect(told).toEqual(told.map(() => ['path_outside_root', true]));
  });

  test('for any combination of path segments', async () => {
    const at = place();
    symlinkSync(at.out, join(at.ws, 'link'));
    symlinkSync('../out/none', join(at.ws, 'dang'));
    const before = snapshot(at.out);
    const piece = fc.constantFrom(
      ...samples`.. ¦ . ¦ src ¦ link ¦ dang ¦ b.txt ¦ secret.txt ¦ none ¦ out ¦ ws ¦ ws_old ¦ ..b ¦ ... ¦ \.. ¦ %2e%2e`,
      ...['', '\u202e', ' '],
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 8 }),
        fc.constantFrom(at.ws, at.base, ''),
        async (pieces, start) => {
          const path = `${start}/${pieces.join('/')}`;
          const opened = await at.files.open(path, callScope()).catch((thrown: unknown) => thrown);
          if (opened instanceof Error) expect(ToolError.is(opened), String(opened)).toBe(true);
          else if (typeof opened === 'object' && opened !== null && 'stat' in opened) {
            const file = opened as Awaited<ReturnType<HostFiles['open']>>;
            await file.close();
            expect(isInside(file.stat.path, [at.ws])).toBe(true);
          }
          const written = await at.files
            .update(path, () => ({ slices: [Buffer.from('x')] }), callScope())
            .catch((thrown: unknown) => thrown);
          if (written instanceof Error) expect(ToolError.is(written), String(written)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
    expect(snapshot(at.out)).toEqual(before);
    expect(readFileSync(join(`${at.ws}_old`, 'secret.txt'), 'utf8')).toBe(marker);
  });
});

describe('operations inside the roots work', () => {
  const legal: readonly Trial[] = [
    ...samples`
      WS/..b.txt ¦ WS/... ¦ WS/src/../src/n.txt ¦ WS/../ws/n.txt ¦ WS/none/../n.txt ¦ WS/%2e%2e/n.txt
      WS/a b'c"$d/n.txt ¦ WS/a\b.txt ¦ WS/a:b.txt ¦ WS/ü中👍/n.txt
    `.map((path) => [path] as const),
    ['WS/s/n.txt', { s: 'src' }],
    ['WS/s', { s: 'made.txt' }],
  ];
  test('to create, open and remove files', () =>
    eachRow(legal, async (trial) => {
      const { files, path } = tried(trial);
      const update = await files.update(path, () => ({ slices: [Buffer.from('x')] }), callScope());
      expect(update?.created).toBe(true);
      const file = await files.open(path, callScope());
      await file.close();
      expect(file.stat.path).toBe(update?.path);
      expect(await files.remove(path, callScope())).toBe(true);
    }));

  test('by another name of the root', async () => {
    const at = place();
    symlinkSync(at.ws, join(at.base, 'alias'));
    const files = hostFiles({ root: join(at.base, 'alias'), limits: defaultLimits });
    expect(files.root).toBe(at.ws);
    expect(await files.resolve(join(at.base, 'alias', 'src', 'b.txt'), callScope())).toBe(join(at.ws, 'src', 'b.txt'));
  });

  test('in additional roots, and in roots that are added later', async () => {
    const at = place();
    const files = hostFiles({ root: at.ws, additionalRoots: [at.out], limits: defaultLimits });
    expect(await files.resolve(join(at.out, 'secret.txt'), callScope())).toBe(join(at.out, 'secret.txt'));
    await expect(files.resolve(`${at.ws}_old/secret.txt`, callScope())).rejects.toMatchObject({
      code: 'path_outside_root',
    });
    files.addRoot(`${at.ws}_old`);
    expect(await files.resolve(`${at.ws}_old/secret.txt`, callScope())).toBe(`${at.ws}_old/secret.txt`);
  });

  test('read-only roots can be read but not written', async () => {
    const at = place();
    const files = hostFiles({ root: at.ws, readOnlyRoots: () => [at.out], limits: defaultLimits });
    await (await files.open(join(at.out, 'secret.txt'), callScope())).close();
    const change = files.update(join(at.out, 'secret.txt'), () => ({ slices: [] }), callScope());
    await expect(change).rejects.toMatchObject({ code: 'path_outside_root' });
    await expect(files.remove(join(at.out, 'secret.txt'), callScope())).rejects.toMatchObject({
      code: 'path_outside_root',
    });
  });
});

describe('special files', () => {
  test.skipIf(process.platform === 'win32')('a FIFO is refused at once, for any process at its other end', async () => {
    const at = place();
    execFileSync('mkfifo', [join(at.ws, 'fifo')]);
    const codes = await attempt(at.files, join(at.ws, 'fifo'));
    expect(codes).toMatchObject({ open: 'not_a_file', update: 'not_a_file', remove: 'not_a_file', list: 'not_a_file' });
  });

  test.skipIf(process.platform === 'win32')('a socket is refused', async () => {
    const at = place();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(at.ws, 'src', 's.sock'), resolve));
    onTestFinished(() => void server.close());
    expect(await attempt(at.files, join(at.ws, 'src', 's.sock'))).toMatchObject({
      open: 'not_a_file',
      update: 'not_a_file',
    });
    expect(existsSync(join(at.ws, 'src', 's.sock'))).toBe(true);
  });

  test('kernel files are refused even if the root is the whole disk', async () => {
    const files = hostFiles({ root: '/', limits: defaultLimits });
    const devices = ['/dev/null', '/dev/shmfoo'];
    for (const path of ['/proc/self/environ', ...devices, '/sys/kernel/notes', '/proc/self/root/proc/self/environ']) {
      await expect(files.open(path, callScope()), path).rejects.toMatchObject({ code: 'not_a_file' });
    }
  });

  test('a hard link to the outside is never written in place', async () => {
    const at = place();
    linkSync(join(at.out, 'secret.txt'), join(at.ws, 'hard'));
    const before = snapshot(at.out);
    const update = await at.files.update(join(at.ws, 'hard'), () => ({ slices: [Buffer.from('x')] }), callScope());
    expect(update?.method).toBe('detached');
    expect(snapshot(at.out)).toEqual(before);
  });
});

test('the error for a relative path suggests the absolute one', async () => {
  const { files, ws } = place();
  await expect(files.resolve('src/b.txt', callScope())).rejects.toMatchObject({
    code: 'path_not_absolute',
    message: `The path must be absolute: src/b.txt. Did you mean ${join(ws, 'src/b.txt')}?`,
  });
});

test('a suggested path exists, or its folder for a new file', async () => {
  const { files, ws } = place({ isHidden: (path) => path.endsWith('secret.txt') });
  writeFileSync(join(ws, 'secret.txt'), '');
  const found = `Did you mean ${join(ws, 'src/b.txt')}?`;
  const made = `Did you mean ${join(ws, 'src/n.txt')}?`;
  const none = `Write the absolute path; the workspace is ${ws}.`;
  const given = ['@src/b.txt', '(src/b.txt)', '[b](src/b.txt)', 'b/src/b.txt', ' src/b.txt', `(see ${ws}/src/b.txt)`];
  await eachRow(
    [
      ...given.map((path) => [path, undefined, found] as const),
      ['src/n.txt', undefined, none],
      ['secret.txt', undefined, none],
      ['../out/secret.txt', undefined, none],
      ['src/n.txt', 'exact', made],
      ['@src/n.txt', 'exact', made],
      [`[n](${ws}/src/n.txt)`, 'exact', made],
      ['lib/src/n.txt', 'exact', none],
      ['../out/n.txt', 'exact', none],
    ] as const,
    async ([path, spelling, hint]) =>
      await expect(files.resolve(path, callScope(), spelling)).rejects.toThrow(
        expect.objectContaining({ message: `The path must be absolute: ${path}. ${hint}` }),
      ),
  );
});

test('a relative path is resolved from the root with the option', async () => {
  const { files, ws } = place({ relativePaths: 'resolve' });
  expect(await files.resolve('src/b.txt', callScope())).toBe(join(ws, 'src/b.txt'));
  await expect(files.resolve('../out/secret.txt', callScope())).rejects.toMatchObject({ code: 'path_outside_root' });
});

test('a relative or missing root throws', () => {
  expect(() => hostFiles({ root: 'ws', limits: defaultLimits })).toThrow(/absolute/);
  expect(() => hostFiles({ root: '/no/such/folder', limits: defaultLimits })).toThrow(/existing folder/);
});

test('the error for a missing file suggests a similar one inside the roots', async () => {
  const { files, ws, base } = place();
  await expect(files.open(join(ws, 'src', 'B.TXT'), callScope())).rejects.toThrow(
    `Did you mean ${join(ws, 'src', 'b.txt')}?`,
  );
  await expect(files.open(join(ws, 'src', 'b.md'), callScope())).rejects.toThrow(
    `Did you mean ${join(ws, 'src', 'b.txt')}?`,
  );
  await expect(files.open(join(base, 'outt', 'secret.txt'), callScope())).rejects.toThrow(/outside the workspace/);
});

test('names that share only the extension are not suggested if there are several', async () => {
  const { files, ws } = place();
  for (const name of ['e.txt', 's.txt', 'report.txt']) writeFileSync(join(ws, name), '');
  await expect(files.open(join(ws, 't.txt'), callScope())).rejects.toThrow(
    `File not found: ${join(ws, 't.txt')}. Use Glob to find`,
  );
  await expect(files.open(join(ws, 'reprot.txt'), callScope())).rejects.toThrow(
    `Did you mean ${join(ws, 'report.txt')}?`,
  );
});

test('a removed root is named, and not created again', async () => {
  const root = join(temporaryFolder(), 'gone');
  mkdirSync(root);
  const files = hostFiles({ root });
  rmSync(root, { recursive: true });
  for (const name of ['a', 'deep/a']) {
    await expect(
      files.update(join(root, name), () => ({ slices: [Buffer.from('x')] }), callScope()),
    ).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringContaining(`The workspace folder was removed or renamed: ${root}.`),
    });
  }
  expect(existsSync(root)).toBe(false);
});

test('whole segments are compared', () => {
  expect(isInside('/a/bc', ['/a/b'], 'linux')).toBe(false);
  expect(isInside('/a/b/c', ['/a/b'], 'linux')).toBe(true);
  expect(isInside('/a/b', ['/a/b'], 'linux')).toBe(true);
  expect(isInside('/x', ['/'], 'linux')).toBe(true);
  expect(isInside('C:\\Work\\x', ['c:\\work'], 'win32')).toBe(true);
  expect(isInside('C:\\Work2\\x', ['c:\\work'], 'win32')).toBe(false);
  expect(dirname('/a/b')).toBe('/a');
});

describe.skipIf(process.platform !== 'linux')('paths through /proc are refused for any target', () => {
  const doors = [
    ...samples`
      /proc/self/root ¦ /proc/thread-self/root ¦ //proc//self/root ¦ /proc/./self/root ¦ /tmp/../proc/self/root
      /dev/../proc/self/root ¦ /sys/../proc/self/root ¦ /proc/self/root/proc/self/root
    `,
    `/proc/${process.pid}/root`,
  ];
  test('through any entry', () =>
    eachRow(doors, async (door) => {
      const at = place();
      const before = snapshot(at.ws);
      const codes = await attempt(at.files, `${door}${at.ws}/src/b.txt`);
      expect(new Set(Object.values(codes))).toEqual(new Set(['not_a_file']));
      expect(snapshot(at.ws)).toEqual(before);
      const query = { path: `${door}${at.ws}`, pattern: '**' };
      await expect(at.files.glob({ ...query, maxFiles: 9 }, callScope())).rejects.toMatchObject({ code: 'not_a_file' });
    }));

  test('the working directory of a process', async () => {
    const files = hostFiles({ root: process.cwd(), limits: defaultLimits });
    for (const door of ['/proc/self/cwd', `/proc/${process.pid}/cwd`]) {
      await expect(files.open(`${door}/package.json`, callScope()), door).rejects.toMatchObject({ code: 'not_a_file' });
    }
  });

  test('a descriptor', async () => {
    const at = place();
    const descriptor = openSync(join(at.ws, 'src', 'b.txt'), 'r');
    onTestFinished(() => closeSync(descriptor));
    for (const path of [`/dev/fd/${descriptor}`, `/proc/self/fd/${descriptor}`]) {
      await expect(at.files.open(path, callScope()), path).rejects.toMatchObject({ code: 'not_a_file' });
    }
  });

  test('a root in /proc is refused at once', () => {
    for (const root of ['/proc', '/proc/self/fd', '/sys', '/dev', '/dev/fd']) {
      expect(() => hostFiles({ root, limits: defaultLimits }), root).toThrow(TypeError);
    }
  });

  test('a root in shared memory works like any other', async () => {
    const root = mkdtempSync('/dev/shm/files-');
    onTestFinished(() => rmSync(root, { recursive: true }));
    const files = hostFiles({ root, limits: defaultLimits });
    await files.update(join(root, 'd', 'a.txt'), () => ({ slices: [Buffer.from('x')] }), callScope());
    await (await files.open(join(root, 'd', 'a.txt'), callScope())).close();
    expect((await files.glob({ pattern: '**/*.txt', maxFiles: 9 }, callScope())).paths).toEqual([
      join(root, 'd', 'a.txt'),
    ]);
    for (const path of [`${root}/../../null`, `/proc/self/root${root}/d/a.txt`]) {
      await expect(files.open(path, callScope()), path).rejects.toBeInstanceOf(ToolError);
    }
  });
});

describe('a path with a trailing folder syntax is not a file', () => {
  test('for any ending', () =>
    eachRow(
      samples`
        src/b.txt/ ¦ src/b.txt// ¦ src/b.txt/. ¦ src/b.txt/./ ¦ src/.. ¦ new/ ¦ new/. ¦ new/x/.. ¦ src/ ¦ src/. ¦ .
        ..
      `,
      async (name) => {
        const at = place();
        const before = snapshot(at.base);
        const { open, update, remove } = await attempt(at.files, `${at.ws}/${name}`);
        const expected = name === '..' ? 'path_outside_root' : 'not_a_file';
        expect({ open, update, remove }).toEqual({ open: expected, update: expected, remove: expected });
        expect(snapshot(at.base)).toEqual(before);
      },
    ));

  test('nor is a path that goes up from a file', () =>
    eachRow(['src/b.txt/../c.txt', 'src/b.txt/../b.txt', 'src/b.txt/x/../../c.txt', 'link/../c.txt'], async (name) => {
      const at = place();
      symlinkSync('src/b.txt', join(at.ws, 'link'));
      const before = snapshot(at.ws);
      const { open, update, remove } = await attempt(at.files, `${at.ws}/${name}`);
      expect({ open, update, remove }).toEqual({ open: 'not_a_file', update: 'not_a_file', remove: 'not_a_file' });
      expect(snapshot(at.ws)).toEqual(before);
    }));

  test('a search in a file named like a folder', async () => {
    const at = place();
    const search = at.files.grep({ ...plainQuery, pattern: 'b', path: `${at.ws}/src/b.txt/` }, callScope());
    await expect(search).rejects.toMatchObject({ code: 'not_a_file' });
    expect(
      (await at.files.grep({ ...plainQuery, pattern: 'b', path: `${at.ws}/src/` }, callScope())).lines,
    ).toHaveLength(1);
  });
});

test('an error does not name the read-only folders', async () => {
  const at = place();
  const files = hostFiles({ root: at.ws, readOnlyRoots: () => [at.out], limits: defaultLimits });
  const refusal = await files.open('/etc/hosts', callScope()).catch((thrown: Error) => thrown.message);
  expect(refusal).toBe(`The path leads outside the workspace: /etc/hosts. Use a path inside ${at.ws}.`);
});
