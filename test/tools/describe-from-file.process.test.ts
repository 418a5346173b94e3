import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import { describeFromFile } from '../../src/files.js';
import { Tool, ToolRegistry } from '../../src/index.js';
import { table } from '../support/each-row.js';
import { calls, run, tool } from '../support/pipeline.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const echo = tool('Echo', () => 'echo', { groups: ['mine'], timeoutMs: 5 });

async function described(text: string | Uint8Array, options: Parameters<typeof describeFromFile>[2] = { env: {} }) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'echo.txt'), text);
  const registry = new ToolRegistry({ cwd }).register(describeFromFile(echo, 'echo.txt', options));
  const [unready] = await registry.ready();
  return { cwd, registry, unready, description: registry.definitions()[0]?.description };
}

describe('a description from a file', () => {
  test('replaces the one in the code, trimmed, and changes nothing else', async () => {
    const { registry, description } = await described('\uFEFF\n  Say it again.\n  Twice.\n');
    expect(description).toBe('Say it again.\n  Twice.');
    expect(registry.get('Echo')).toMatchObject({ groups: ['mine'], timeoutMs: 5, input: echo.input });
    expect((await run([], calls('Echo'), { registry })).results).toMatchObject([{ output: 'echo' }]);
    expect(echo.description).toBe('Test tool Echo.');
  });

  test('may contain variables for the workspace', async () => {
    const { cwd, description } = await described(
      '${workspace} ${directory} ${cwd} ${unknown} $cwd ${ cwd } ${constructor}',
    );
    expect(description).toBe(`${cwd} ${cwd} ${cwd} \${unknown} $cwd \${ cwd } \${constructor}`);
  });

  test('replaces AGENT_WORKSPACE_ROOT by the literal path', async () => {
    const { cwd, description } = await described('${workspace}|${cwd}', {
      env: { AGENT_WORKSPACE_ROOT: '/w/$& ${cwd} $1' },
    });
    expect(description).toBe(`/w/$& \${cwd} $1|${cwd}`);
  });

  test('also applies to a tool that is created later, and one path cannot be replaced', async () => {
    const cwd = temporaryFolder();
    const path = join(cwd, 'later.txt');
    writeFileSync(path, 'From the file.');
    const later = Tool.define('Later', async () => ({
      description: 'From the code.',
      input: z.object({}),
      sideEffect: 'none',
      execute: () => 'later',
    }));
    const registry = new ToolRegistry().register(describeFromFile(later, path));
    expect(await registry.ready()).toEqual([]);
    writeFileSync(path, 'Changed.');
    await registry.ready();
    expect(registry.definitions()).toMatchObject([{ name: 'Later', description: 'From the file.' }]);
    expect((await run([], calls('Later'), { registry })).results).toMatchObject([{ output: 'later' }]);
  });
});

describe('a file that cannot be used makes the tool unready, with the reason:', () => {
  table([
    ['empty', ' \n', 'it is empty'],
    ['no text', new Uint8Array([0xff, 0xfe, 0x00]), 'not UTF-8 text'],
    ['too large', 'x'.repeat(17), 'larger than 16 bytes'],
  ])('empty, not text, or too large', async (_, text, reason) => {
    const { registry, unready, cwd } = await described(text, { maxBytes: 16 });
    expect(unready?.reason).toBe(
      `the description in ${join(cwd, 'echo.txt')} cannot be used: it is ${reason.replace(/^it is /, '')}`,
    );
    expect((await run([], calls('Echo'), { registry })).results).toMatchObject([
      { error: { code: 'execution_failed' } },
    ]);
  });

  test('a file of the maximum size is accepted', async () => {
    expect((await described('x'.repeat(16), { maxBytes: 16 })).description).toBe('x'.repeat(16));
  });

  test('missing, a folder, a pipe, a device', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'folder'));
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const paths = ['missing', 'folder', 'pipe', '/dev/zero'];
    const registry = new ToolRegistry({ cwd }).register(
      ...paths.map((path, index) =>
        describeFromFile(
          tool(`Tool${index}`, () => ''),
          path,
        ),
      ),
    );
    const unready = await registry.ready();
    const reasons = unready.map(({ reason }) => reason.replace(/^.*cannot be used: /, ''));
    expect(reasons).toEqual(paths.map(() => 'there is no such file, or it cannot be read'));
  });
});
