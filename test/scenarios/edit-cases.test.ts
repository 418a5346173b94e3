import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ToolCall } from '../../src/index.js';
import { caseWorld, fixture } from '../support/case-world.js';

/** A text, or pieces with their repeat counts. */
type Text = string | { readonly join: readonly (readonly [string, number])[] };

interface Case {
  readonly id: string;
  readonly why: string;
  readonly before?: Text;
  readonly before_hex?: string;
  readonly old_string?: string;
  readonly new_string?: Text;
  readonly replace_all?: boolean;
  /** Several edits of one turn; `direct` names the target of a link. */
  readonly edits?: readonly (readonly [string, string, 'direct'?])[];
  /** The number of edits that fail. Default 0. */
  readonly fails?: number;
  readonly after?: Text;
  readonly after_hex?: string;
  readonly after_any?: readonly string[];
  readonly error?: string | readonly string[];
  readonly kind?: 'missing' | 'folder' | 'link' | 'dangling' | 'hard link';
  readonly mode?: string;
  /** After the file was read, another program writes this, or removes the file. */
  readonly read?: boolean;
  readonly meanwhile?: string;
  readonly deleted?: boolean;
  readonly guard?: boolean;
}

const cases = fixture<Case>('edit-cases').map((one) => ({ ...one, name: `${one.why} (${one.id})` }));

function textOf(text: Text): string {
  return typeof text === 'string' ? text : text.join.map(([piece, times]) => piece.repeat(times)).join('');
}

/** The bytes before the edit; undefined if there is no file. */
function bytesBefore({ before, before_hex }: Case): Buffer | undefined {
  if (before_hex !== undefined) return Buffer.from(before_hex, 'hex');
  return before === undefined ? undefined : Buffer.from(textOf(before));
}

/** Creates the file of a case. Returns the path for the edits and the path of the bytes. */
function place(
  root: string,
  { kind, mode }: Case,
  bytes: Buffer | undefined,
): { readonly named: string; readonly real: string } {
  const real = join(root, 'file');
  const named = kind === 'link' || kind === 'dangling' ? join(root, 'link') : real;
  if (bytes !== undefined) writeFileSync(real, bytes);
  if (mode !== undefined) chmodSync(real, Number.parseInt(mode, 8));
  if (kind === 'link' || kind === 'dangling') symlinkSync('file', named);
  if (kind === 'hard link') linkSync(real, join(root, 'other name'));
  if (kind === 'folder') mkdirSync(real);
  return { named, real };
}

function callsOf({ edits, old_string, new_string = '', replace_all }: Case, named: string, real: string): ToolCall[] {
  if (edits === undefined) {
    const all = replace_all === undefined ? {} : { replace_all };
    return [{ id: '1', name: 'Edit', input: { file_path: named, old_string, new_string: textOf(new_string), ...all } }];
  }
  return edits.map(([from, to, direct], index) => ({
    id: String(index),
    name: 'Edit',
    input: { file_path: direct === undefined ? named : real, old_string: from, new_string: to },
  }));
}

/** The valid contents afterwards; undefined if there is no file. */
function contentsAfter(example: Case, hasFailed: boolean, before: Buffer | undefined): (Buffer | undefined)[] {
  const { after, after_hex, after_any, deleted, meanwhile } = example;
  if (hasFailed && example.edits === undefined)
    return [deleted === true ? undefined : meanwhile === undefined ? before : Buffer.from(meanwhile)];
  if (after_hex !== undefined) return [Buffer.from(after_hex, 'hex')];
  return (after_any ?? [textOf(after ?? '')]).map((text) => Buffer.from(text));
}

test.each(cases)('$name', async (example) => {
  const world = caseWorld([], { files: { readBeforeWrite: example.guard ?? false } });
  const before = bytesBefore(example);
  const { named, real } = place(world.root, example, before);
  if (example.read === true) expect(await world.call('Read', { file_path: named })).toMatchObject({ ok: true });
  if (example.meanwhile !== undefined) writeFileSync(real, example.meanwhile);
  if (example.deleted === true) rmSync(real);
  const names = readdirSync(world.root);

  const { results } = await world.toolkit.execute(callsOf(example, named, real));

  const failed = results.flatMap((result) => (result.ok ? [] : [result.error.code]));
  const codes = example.error === undefined ? [] : [example.error].flat();
  if (example.edits === undefined && example.after_any === undefined)
    expect(failed).toHaveLength(codes.length > 0 ? 1 : 0);
  if (example.edits === undefined) for (const code of failed) expect(codes).toContain(code);
  else expect(failed).toHaveLength(example.fails ?? 0);

  expect(readdirSync(world.root)).toEqual(names);
  const stats = lstatSync(real, { throwIfNoEntry: false });
  if (stats?.isFile() === true || before !== undefined) {
    const content = stats === undefined ? undefined : readFileSync(real);
    expect(contentsAfter(example, failed.length > 0, before)).toContainEqual(content);
  }
  if (example.mode !== undefined) expect((statSync(real).mode & 0o7777).toString(8)).toBe(example.mode);
  if (example.kind === 'link') expect(lstatSync(named).isSymbolicLink()).toBe(true);
  if (example.kind === 'hard link') expect(readFileSync(join(world.root, 'other name'))).toEqual(readFileSync(real));
});
