import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createToolkit, type ToolkitOptions } from '../../src/index.js';
import { fixture } from '../support/case-world.js';
import { temporaryFolder } from '../support/temporary-folder.js';

type Contents = Readonly<Record<string, string | null>>;

interface Case {
  readonly id: string;
  readonly why: string;
  readonly before: Contents;
  readonly before_hex?: Contents;
  readonly patch: string;
  readonly after?: Contents;
  readonly after_hex?: Contents;
  readonly error?: string | readonly string[];
}

const cases = fixture<Case>('patch-cases').map((one) => ({ ...one, name: `${one.why} (${one.id})` }));

function put(root: string, contents: Contents = {}, encoding: BufferEncoding = 'utf8'): void {
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    if (content !== null) writeFileSync(join(root, name), content, encoding);
  }
}

/** Every file with its bytes and mode, and every folder. */
function tree(root: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const stat = statSync(join(root, name));
        return [name, stat.isFile() ? `${stat.mode} ${readFileSync(join(root, name), 'hex')}` : 'folder'];
      }),
  );
}

function world(options: Partial<ToolkitOptions> = {}) {
  const root = join(temporaryFolder(), 'ws');
  mkdirSync(root);
  const toolkit = createToolkit({
    root,
    permissions: 'bypassPermissions',
    features: { applyPatch: true, undo: true },
    ...options,
  });
  onTestFinished(() => toolkit.dispose());
  const patch = (body: string) => toolkit.call('ApplyPatch', { patch: `*** Begin Patch\n${body}\n*** End Patch` });
  return { root, toolkit, patch };
}

test.for(cases)('$name', async (one) => {
  const { root, toolkit } = world();
  put(root, one.before);
  put(root, one.before_hex, 'hex');
  const before = tree(root);
  const result = await toolkit.call('ApplyPatch', { patch: one.patch });
  if (one.error !== undefined) {
    expect([one.error].flat()).toContain(result.ok ? result.output : result.error.code);
    expect(tree(root)).toEqual(before);
    return;
  }
  expect(result).toMatchObject({ ok: true });
  for (const [name, content] of Object.entries(one.after ?? {}))
    expect(tree(root)[name]?.split(' ')[1], name).toBe(content === null ? undefined : Buffer.from(content).toString('hex'));
  for (const [name, content] of Object.entries(one.after_hex ?? {}))
    expect(tree(root)[name]?.split(' ')[1], name).toBe(content);
  expect(await toolkit.call('UndoTurn', {})).toMatchObject({ ok: true });
  expect(tree(root)).toEqual(before);
});
