import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memberOf, rawText } from '../../src/editing/notebook/json-node.js';
import { type JsonOutline, outlineJson } from '../../src/editing/notebook/json-outline.js';
import { table } from '../support/each-row.js';
import { runs } from '../support/runs.js';

const calm = async () => {};

async function outline(text: string, depths = 1) {
  const bytes = Buffer.from(text);
  return outlineJson(bytes, { start: 0, end: bytes.length }, (depth) => depth < depths, calm);
}

async function outlined(text: string, depths = 1): Promise<JsonOutline> {
  const result = await outline(text, depths);
  if ('message' in result) throw new Error(result.message);
  return result;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const piece = fc.constantFrom(
  ...'{}[],:"\\0 1 -1 1.0 1e5 1E+5 -0 01 1. .5 +1 1e - true false null tru nullx "" "a" "\\u00e9" "\\/" "\\x" "\\u12" "\t" "é" {} [] {"a":1} [1] \n'.split(
    ' ',
  ),
  ' ',
  '\n',
  '\u00a0',
  '\ufeff',
);

describe('what is JSON', () => {
  test('exactly what JSON.parse takes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const text = pieces.join('');
        expect('message' in (await outline(text, 3))).toBe(!isJson(text));
      }),
      { numRuns: runs(5_000) },
    );
  });

  test('any value, however it is indented', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), async (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const { root } = await outlined(text);
        expect(rawText(Buffer.from(text), root.start, root.end)).toBe(text);
      }),
    );
  });

  test('one character less, more or other is noticed just as JSON.parse does', async () => {
    const change = fc.tuple(fc.nat(), fc.nat(1), fc.constantFrom('', '"', ',', '}', ']', '\\', '0', '.', ':', '\n'));
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), change, async (value, [at, length, put]) => {
        const text = JSON.stringify(value);
        const place = at % (text.length + 1);
        const changed = text.slice(0, place) + put + text.slice(place + length);
        fc.pre(changed.isWellFormed());
        expect('message' in (await outline(changed, 2))).toBe(!isJson(changed));
      }),
      { numRuns: runs(3_000) },
    );
  });

  table([
    ['', 0, 'value expected'],
    ['{]', 1, 'name or } expected'],
    ['[1 2]', 3, ', or ] expected'],
    ['{"a" 1}', 5, ': expected'],
    ['{"a":1,}', 7, 'name expected'],
    ['[1,]', 3, 'value expected'],
    ['1 2', 2, 'the end expected'],
    ['["ab', 1, 'the end of this string expected'],
    ['["a\nb"]', 3, 'an escape in place of this control character expected'],
    ['["\\q"]', 2, 'an escape that JSON knows expected'],
    ['NaN', 0, 'value expected'],
  ])('broken JSON fails at its place', async (text, position, message) =>
    expect(await outline(text)).toEqual({ position, message }),
  );
});

describe('where values stand', () => {
  test('members and items, as deep as is wanted', async () => {
    const text = ' {"a": [1, [2]],\n"b" : {"c": "d"}} ';
    const { root } = await outlined(text, 2);
    const raw = ({ start, end }: { readonly start: number; readonly end: number }) => text.slice(start, end);
    expect(raw(root)).toBe(text.trim());
    expect(root.members.map(({ name, key, value }) => [name, raw(key), raw(value)])).toEqual([
      ['a', '"a"', '[1, [2]]'],
      ['b', '"b"', '{"c": "d"}'],
    ]);
    expect(memberOf(root, 'a')?.value.items.map(raw)).toEqual(['1', '[2]']);
    expect(memberOf(root, 'b')?.value.members[0]?.value).toMatchObject({ kind: 'scalar', members: [] });
    expect(memberOf(root, 'a')?.value.items[1]?.items).toEqual([]);
  });

  test('a name that comes twice, once with an escape: the last counts', async () => {
    const { root } = await outlined('{"id": 1, "\\u0069d": 2, "__proto__": 3}');
    expect(root.members.map(({ name }) => name)).toEqual(['id', 'id', '__proto__']);
    expect(memberOf(root, 'id')).toBe(root.members[1]);
  });

  test('escapes beyond ASCII are told apart from other escapes', async () => {
    expect((await outlined('["\\u001b \\\\u00e9 \\n"]')).escapesLetters).toBe(false);
    expect((await outlined('["\\u00e9"]')).escapesLetters).toBe(true);
  });
});

describe('size', () => {
  test('a long text is read in steps, wherever they cut it', async () => {
    const line = `"${'x'.repeat(700_001)}\\n\\u00e9é"`;
    const text = `{"a": [${[line, line, line, line].join(',')}], "b": 1}`;
    const bytes = Buffer.from(text);
    let pauses = 0;
    const result = await outlineJson(
      bytes,
      { start: 0, end: bytes.length },
      (depth) => depth < 2,
      async () => void pauses++,
    );
    expect(pauses).toBe(2);
    if ('message' in result) throw new Error(result.message);
    expect(memberOf(result.root, 'a')?.value.items.map(({ start, end }) => rawText(bytes, start, end))).toEqual([
      line,
      line,
      line,
      line,
    ]);
  });

  test('deep nesting costs no stack and has an end', async () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect((await outlined(nested(100_000))).root.end).toBe(200_000);
    expect(await outline(nested(100_001))).toMatchObject({
      position: 100_000,
      message: expect.stringContaining('levels'),
    });
  });

  test('values beyond counting are refused, outlined ones only', async () => {
    const many = `[${'1,'.repeat(2_000_000)}1]`;
    expect(await outline(many)).toMatchObject({ message: expect.stringContaining('at most') });
    expect((await outlined(many, 0)).root.kind).toBe('array');
  });
});
