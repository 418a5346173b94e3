import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { hostFiles } from 'toolwright/files';
import { nodeDisk } from 'toolwright/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { defaultLimits, type ToolCall, type ToolCallResult } from '../../src/index.js';
import { caseWorld, fixture } from '../support/case-world.js';

interface Tree {
  readonly files?: number;
  readonly depth?: number;
  readonly wide?: number;
  readonly loop?: boolean;
  readonly paths?: readonly string[];
  readonly links?: readonly (readonly [string, string])[];
  readonly ignore?: string;
  readonly ignore_in?: readonly [string, string];
}

interface Case {
  readonly id: string;
  readonly class: 'read' | 'write' | 'walk';
  readonly why: string;
  readonly kind?: 'socket' | 'fifo' | 'folder' | 'loop' | 'missing';
  /** A code, or `any`. */
  readonly error?: string;
  readonly text?: string;
  readonly hex?: string;
  readonly gen?: { readonly mb?: number; readonly lines?: number; readonly line?: number };
  readonly args?: Readonly<Record<string, unknown>>;
  readonly shows?: readonly string[];
  readonly lines?: number;
  readonly notice?: string;
  readonly max_chars?: number;
  readonly path?: string;
  readonly before?: string;
  readonly before_mode?: string;
  readonly write?: string;
  readonly write_times?: readonly [string, number];
  readonly bytes?: string;
  readonly mode_after?: string;
  readonly fault?: string;
  readonly parallel_edits?: number;
  readonly names?: 'link';
  readonly parallel_writes?: number;
  readonly parallel_files?: number;
  readonly tree?: Tree;
  readonly pattern?: string;
  readonly total?: number;
  readonly totals?: readonly number[];
  readonly shown?: number;
}

const cases = fixture<Case>('file-cases').map((one) => ({ ...one, name: `${one.why} (${one.id})` }));
const of = (name: Case['class']) => cases.filter((one) => one.class === name);
const mega = 1_048_576;

function expectError(result: ToolCallResult, code: string): void {
  expect(result).toMatchObject({ ok: false, error: { code: code === 'any' ? expect.any(String) : code } });
  if (!result.ok) expect(result.error.code).not.toBe('execution_failed');
}

async function makeSpecial(kind: Case['kind'], path: string): Promise<void> {
  if (kind === 'folder') mkdirSync(path);
  if (kind === 'loop') symlinkSync(path, path);
  if (kind === 'fifo') execFileSync('mkfifo', [path]);
  if (kind !== 'socket') return;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
}

/** Writes a file of numbered lines with the given size or number of lines, or a single line. */
function generate(path: string, { mb, lines, line }: NonNullable<Case['gen']>): void {
  if (line !== undefined) writeFileSync(path, 'x'.repeat(line));
  if (lines !== undefined)
    writeFileSync(path, Array.from({ length: lines }, (_, index) => `line ${index + 1}\n`).join(''));
  if (mb === undefined) return;
  const piece = Buffer.alloc(mega, 'a line of fifty characters, more or less, no more.\n');
  const descriptor = openSync(path, 'w');
  for (let count = 0; count < mb; count++) writeSync(descriptor, piece);
  closeSync(descriptor);
  onTestFinished(() => unlinkSync(path));
}

describe('reading', () => {
  test.each(of('read'))('$name', async (example) => {
    const { root, call } = caseWorld();
    const path = join(root, 'file');
    await makeSpecial(example.kind, path);
    if (example.text !== undefined) writeFileSync(path, example.text);
    if (example.hex !== undefined) writeFileSync(path, Buffer.from(example.hex, 'hex'));
    if (example.gen !== undefined) generate(path, example.gen);
    const result = await call('Read', { file_path: path, ...example.args });
    if (example.error !== undefined) return expectError(result, example.error);
    expect(result).toMatchObject({ ok: true });
    const all = result.output.split('\n');
    const shown = all.filter((line) => /^\d+\t/.test(line));
    if (example.shows) expect(shown).toEqual(example.shows);
    if (example.lines !== undefined) expect(shown).toHaveLength(example.lines);
    if (example.max_chars !== undefined) expect(result.output.length).toBeLessThan(example.max_chars);
    const notices = all.slice(shown.length).join('\n');
    if (example.notice === undefined && example.shows !== undefined) expect(notices).toBe('');
    if (example.notice !== undefined) expect(notices).toContain(example.notice);
  });
});

/** The files of a folder on a disk that fails every write. */
function refusingFiles(root: string, code: string) {
  const write = async () => {
    throw Object.assign(new Error(`${code}: injected`), { code });
  };
  return hostFiles({ root, limits: defaultLimits, disk: { ...nodeDisk, write } });
}

describe('writing', () => {
  test.each(of('write').filter(({ write, write_times }) => (write ?? write_times) !== undefined))(
    '$name',
    async (example) => {
      const first = caseWorld();
      const { root } = first;
      const path = join(root, example.path ?? 'file');
      await makeSpecial(example.kind, path);
      if (example.before !== undefined) writeFileSync(path, example.before);
      if (example.before_mode !== undefined) chmodSync(path, Number.parseInt(example.before_mode, 8));
      const { call } =
        example.fault === undefined
          ? first
          : caseWorld([], { root, hosts: { files: refusingFiles(root, example.fault) } });
      const names = readdirSync(root);
      const content = example.write ?? example.write_times?.[0].repeat(example.write_times[1]) ?? '';
      const result = await call('Write', { file_path: path, content });
      if (example.mode_after !== undefined) expect((statSync(path).mode & 0o7777).toString(8)).toBe(example.mode_after);
      if (example.error !== undefined) {
        expectError(result, example.error);
        expect(readdirSync(root)).toEqual(names);
        if (example.before !== undefined) expect(readFileSync(path, 'utf8')).toBe(example.before);
        return;
      }
      expect(result).toMatchObject({ ok: true });
      expect(readFileSync(path, 'utf8')).toBe(example.bytes ?? content);
      expect(readdirSync(dirname(path)).filter((name) => name.includes('.tmp'))).toEqual([]);
    },
  );

  test.each(of('write').filter(({ parallel_edits }) => parallel_edits !== undefined))(
    '$name',
    async ({ parallel_edits: count = 0, names }) => {
      const { root, toolkit } = caseWorld();
      const path = join(root, 'file');
      writeFileSync(path, Array.from({ length: count }, (_, index) => `old ${index};\n`).join(''));
      if (names === 'link') symlinkSync('file', join(root, 'link'));
      const nameOf = (index: number) => join(root, names === 'link' && index % 2 === 1 ? 'link' : 'file');
      const calls = Array.from({ length: count }, (_, index) =>
        edit(String(index), nameOf(index), `old ${index};`, `new ${index};`),
      );
      // Overlapping turns, and calls of one turn.
      const turns = [calls.slice(0, count / 2), calls.slice(count / 2)];
      const results = await Promise.all(turns.map((turn) => toolkit.execute(turn)));
      expect(results.flatMap((turn) => turn.results.filter(({ ok }) => !ok))).toEqual([]);
      expect(readFileSync(path, 'utf8')).toBe(Array.from({ length: count }, (_, index) => `new ${index};\n`).join(''));
    },
  );

  test.each(of('write').filter(({ parallel_writes }) => parallel_writes !== undefined))(
    '$name',
    async ({ parallel_writes: count = 0 }) => {
      const { root, toolkit } = caseWorld();
      const path = join(root, 'file');
      const contentOf = (index: number) => `${index}\n`.repeat(1_000);
      const turns = Array.from({ length: count }, (_, index) => [
        { id: String(index), name: 'Write', input: { file_path: path, content: contentOf(index) } },
      ]);
      await Promise.all(turns.map((turn, index) => toolkit.execute(turn, { caller: { sessionId: `s${index}` } })));
      const content = readFileSync(path, 'utf8');
      expect(turns.some((_, index) => contentOf(index) === content)).toBe(true);
    },
  );

  test.each(of('write').filter(({ parallel_files }) => parallel_files !== undefined))(
    '$name',
    async ({ parallel_files: count = 0 }) => {
      const { root, toolkit } = caseWorld();
      const calls: ToolCall[] = Array.from({ length: count }, (_, index) =>
        join(root, `d${index % 3}`, `f${index}`),
      ).flatMap((path, index) => [
        { id: `w${index}`, name: 'Write', input: { file_path: path, content: `a${index} b${index}\n` } },
        edit(`e${index}`, path, `a${index}`, `A${index}`),
        edit(`f${index}`, path, `b${index}`, `B${index}`),
      ]);
      const { results } = await toolkit.execute(calls);
      expect(results.filter(({ ok }) => !ok)).toEqual([]);
      for (let index = 0; index < count; index++) {
        expect(readFileSync(join(root, `d${index % 3}`, `f${index}`), 'utf8')).toBe(`A${index} B${index}\n`);
      }
    },
  );
});

function edit(id: string, file_path: string, old_string: string, new_string: string): ToolCall {
  return { id, name: 'Edit', input: { file_path, old_string, new_string } };
}

function plant(root: string, expand: (text: string) => string, tree: Tree): void {
  const put = (name: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), '');
  };
  for (let index = 0; index < (tree.files ?? 0); index++) put(`d${index % 100}/f${index}.md`);
  for (let index = 0; index < (tree.wide ?? 0); index++) put(`w${index}/x.md`);
  for (let depth = 1; depth <= (tree.depth ?? 0); depth++) put(`${'d/'.repeat(depth)}f.md`);
  if (tree.loop === true) symlinkSync('..', join(root, 'd', 'back'));
  for (const path of tree.paths ?? []) put(path);
  for (const [name, target] of tree.links ?? []) symlinkSync(expand(target), join(root, name));
  if (tree.ignore !== undefined) writeFileSync(join(root, '.gitignore'), tree.ignore);
  if (tree.ignore_in !== undefined) writeFileSync(join(root, tree.ignore_in[0], '.gitignore'), tree.ignore_in[1]);
}

describe('searching', () => {
  test.each(of('walk'))('$name', async ({ tree = {}, pattern, total, totals = [total ?? 0], shown = total }) => {
    const { root, call, expand } = caseWorld();
    for (const name of ['a.txt', 'src/b.txt']) unlinkSync(join(root, name));
    plant(root, expand, tree);
    const result = await call('Glob', { pattern });
    const lines = result.output.split('\n');
    const paths = lines.filter((line) => line.startsWith(root));
    expect(totals).toContain((result.metadata as { readonly count: number }).count);
    if (shown !== undefined) expect(paths).toHaveLength(shown);
    if (total !== undefined && shown !== undefined && shown < total)
      expect(lines.at(-1)).toBe(`[${total - shown} more; narrow the pattern]`);
    if (total === 0) expect(result.output).toBe('No files found');
    expect(result.output).not.toContain('secret');
  });
});
