import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createToolkit } from 'toolwright';
import { describe, expect, test } from 'vitest';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const hex = (text: string) => Buffer.from(text, 'hex');
const joined = (...parts: readonly (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

/** Encodes a text in a single-byte encoding by its table. */
function inSet(label: string, text: string): Buffer {
  const all = [...new TextDecoder(label).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))];
  return Buffer.from([...text].map((character) => all.indexOf(character)));
}

async function workspace<Result>(
  content: Uint8Array,
  job: (file: {
    call(name: string, input?: object): Promise<{ ok: boolean; output: string; code: string | undefined }>;
    bytes(): string;
  }) => Promise<Result>,
): Promise<Result> {
  const root = temporaryFolder();
  const path = join(root, 'a.txt');
  writeFileSync(path, content);
  const toolkit = createToolkit({ root, permissions: 'bypassPermissions', features: { applyPatch: true } });
  let count = 0;
  try {
    return await job({
      async call(name, input = {}) {
        const full = name === 'ApplyPatch' ? input : { file_path: path, ...input };
        const { results } = await toolkit.execute([{ id: `call_${++count}`, name, input: full }]);
        const result = results[0];
        if (result === undefined) throw new Error('no result');
        return result.ok
          ? { ok: true, output: result.output, code: undefined }
          : { ok: false, output: result.error.message, code: result.error.code };
      },
      bytes: () => readFileSync(path).toString('hex'),
    });
  } finally {
    await toolkit.dispose();
  }
}

const hungarian = 'árvíztűrő tükörfúrógép';
const czech = 'Příliš žluťoučký kůň úpěl ďábelské ódy\nřádek\n';

describe('a declared encoding is used if the bytes are valid in it', () => {
  const latin2 = (text: string) => inSet('iso-8859-2', text);
  const rows: readonly (readonly [what: string, content: Buffer, shown: string, name: string])[] = [
    ['a coding cookie', latin2(`# -*- coding: iso-8859-2 -*-\n# ${hungarian}\n`), hungarian, 'iso-8859-2'],
    ['below a shebang', latin2(`#!/usr/bin/python\n# coding=latin-2\n${hungarian}`), hungarian, 'iso-8859-2'],
    ['with an underscore', latin2(`# coding: iso8859_2\n${hungarian}`), hungarian, 'iso-8859-2'],
    ['with kind of line end', latin2(`;; -*- mode: lisp; coding: iso-latin-2-unix -*-\n${hungarian}`), hungarian, '-2'],
    ['of Ruby', latin2(`# encoding: iso-8859-2\nputs "${hungarian}"`), hungarian, 'iso-8859-2'],
    ['of Vim', inSet('cp1250', `// vim: set fileencoding=cp1250 :\r\n${czech}`), 'řádek', 'windows-1250'],
    ['XML', latin2(`<?xml version="1.0" encoding="ISO-8859-2"?>\n<a>${hungarian}</a>`), hungarian, 'iso-8859-2'],
    ['a style sheet', latin2(`@charset "iso-8859-2";\na{content:"${hungarian}"}`), hungarian, 'iso-8859-2'],
    ['a page', latin2(`<!doctype html>\n<meta charset=iso-8859-2>\n${hungarian}`), hungarian, 'iso-8859-2'],
    [
      'an older page',
      inSet('cp1250', `<html><META http-equiv="Content-Type" content="text/html; charset=windows-1250">${czech}`),
      'žluťoučký',
      'windows-1250',
    ],
    ['Greek', inSet('iso-8859-7', '# coding: iso-8859-7\nκαλημέρα κόσμε\n'), 'καλημέρα', 'iso-8859-7'],
    ['Turkish', inSet('cp1254', '# coding: iso-8859-9\nşığ\n'), 'şığ', 'iso-8859-9'],
    ['Cyrillic of DOS', inSet('ibm866', '# coding: cp866\nпривет\n'), 'привет', 'ibm866'],
    ['Ukrainian', inSet('koi8-u', '# coding: koi8-u\nїжак\n'), 'їжак', 'koi8-u'],
    ['Macintosh', inSet('macintosh', '# coding: macintosh\ndéjà\n'), 'déjà', 'macintosh'],
    ['Latin-1', inSet('latin1', '# coding: latin-1\ndéjà\n'), 'déjà', 'iso-8859-1'],
    [
      'Latin-1 that UTF-8 could be',
      joined('# coding: latin-1\nQUALIT', hex('c9a0'), ': x\n'),
      'QUALIT\u00c9\u00a0:',
      '-1',
    ],
    ['Japanese, too short to be seen', joined('# coding: cp932\n', hex('93fa'), '\n'), '日', 'shift_jis'],
    ['Chinese, too short to be seen', joined('# coding: gbk\n', hex('c4e3'), '\n'), '你', 'gb18030'],
    ['plain ASCII so far', joined('# coding: iso-8859-2\nabc\n'), 'abc', 'iso-8859-2'],
  ];
  test('Read shows its characters and says so', () =>
    eachRow(rows, ([, content, shown, name]) =>
      workspace(content, async ({ call }) => {
        const { output } = await call('Read');
        expect(output).toContain(shown);
        expect(output).toMatch(
          new RegExp(`\\[Stored as \\S*${name}, as the file declares; edits keep this encoding\\]`),
        );
      }),
    ));

  const others: readonly (readonly [what: string, content: Buffer, shown: string, notice: RegExp | undefined])[] = [
    ['UTF-8, whatever it declares', joined(`# coding: iso-8859-2\n${hungarian}\n`), hungarian, undefined],
    ['a mark, whatever is declared', joined('\ufeff# coding: latin-2\né\n'), 'é', /UTF-8 byte order mark/],
    [
      'UTF-8 declared and not so',
      joined('# coding: utf-8\nd', hex('e9'), 'j\n'),
      'déj',
      /declares utf-8, in which its bytes are not valid\. The encoding is a guess/,
    ],
    [
      'bytes not valid in it',
      joined('# coding: iso-8859-2\n', hex('82'), 't', hex('82'), '\n'),
      '',
      /declares iso-8859-2, in which its bytes are not valid/,
    ],
    ['half a pair', joined('# coding: shift_jis\nd', hex('e9'), '\n'), 'dé', /is a guess/],
    [
      'a set that is not supported',
      joined('# coding: cp850\n', hex('82'), 't', hex('82'), '\n'),
      '',
      /declares cp850, which is not supported\. The encoding is a guess .* not certain\]/,
    ],
    [
      'another',
      joined('# -*- coding: mac-roman -*-\n', hex('8e'), '\n'),
      '',
      /declares mac-roman, which is not supported/,
    ],
    [
      'ASCII declared and not so',
      joined('# coding: ascii\n', hex('e9'), 'a\n'),
      'éa',
      /declares ascii, in which its bytes are not/,
    ],
    [
      'a name of no set',
      joined('# coding: nothing\n', hex('e9'), 'a\n'),
      'éa',
      /declares nothing, which is not supported/,
    ],
    ['a word below the second line', joined('a\nb\n# coding: latin-2\n', hex('f8'), '\n'), 'ø', /is a guess/],
    ['a word in code', joined('x = "coding: latin-2"\n', hex('f8'), '\n'), 'ø', /is a guess/],
    ['ASCII', joined('# coding: us-ascii\nabc\n'), 'abc', undefined],
    [
      'UTF-16 declared by bytes that are not',
      joined('<?xml version="1.0" encoding="UTF-16"?>\n<a/>'),
      '<a/>',
      undefined,
    ],
  ];
  test('it is ignored if the bytes are invalid in it or valid UTF-8', () =>
    eachRow(others, ([, content, shown, notice]) =>
      workspace(content, async ({ call }) => {
        const { output } = await call('Read');
        expect(output).toContain(shown);
        if (notice === undefined) expect(output).not.toMatch(/^\[/m);
        else expect(output).toMatch(notice);
        expect(output).not.toContain('as the file declares');
      }),
    ));

  const edits: readonly (readonly [what: string, content: Buffer, made: string, after: Buffer | RegExp])[] = [
    [
      'a letter of it',
      inSet('iso-8859-2', '# coding: latin-2\nX é\n'),
      'ő',
      inSet('iso-8859-2', '# coding: latin-2\nő é\n'),
    ],
    [
      'the first letter',
      joined('<meta charset="windows-1250">X'),
      'ř',
      joined('<meta charset="windows-1250">', hex('f8')),
    ],
    ['a pair', joined('# coding: sjis\nX\n'), '日', joined('# coding: sjis\n', hex('93fa'), '\n')],
    ['a letter that it lacks', joined('# coding: latin-2\nX\n'), 'ø', /iso-8859-2, which has no bytes for "ø"/],
    ['one of its Windows set', joined('# coding: latin-1\nX\n'), '€', /iso-8859-1, which has no bytes for "€"/],
  ];
  test('Edit writes its bytes', () =>
    eachRow(edits, ([, content, made, after]) =>
      workspace(content, async ({ call, bytes }) => {
        const { ok, output } = await call('Edit', { old_string: 'X', new_string: made });
        expect(ok).toBe(!(after instanceof RegExp));
        expect(bytes()).toBe((after instanceof RegExp ? content : after).toString('hex'));
        if (after instanceof RegExp) expect(output).toMatch(after);
      }),
    ));

  const loose: readonly (readonly [what: string, old: string, tier: RegExp])[] = [
    ['look-alike quotes', '"X"', /look-alike/],
    ['other indentation', 'a\n  b', /white space/],
  ];
  test('a looser match counts each byte as a character, also an invalid one', () =>
    eachRow(loose, ([, old, tier]) => {
      const head = '# coding: windows-1253\n'.padEnd(66_000, 'a\n');
      const tail = joined(hex('d2d2'), ' "\nq\n\ta\n\t  b\n', hex('93'), 'X', hex('94'), '\n');
      return workspace(joined(head, tail), async ({ call, bytes }) => {
        const { output } = await call('Edit', { old_string: old, new_string: 'Z' });
        expect(output).toMatch(tier);
        const rest = old === '"X"' ? ' "\nq\n\ta\n\t  b\nZ\n' : undefined;
        const whole = rest === undefined ? [' "\nq\n\tZ\n', hex('93'), 'X', hex('94'), '\n'] : [rest];
        expect(bytes()).toBe(joined(head, hex('d2d2'), ...whole).toString('hex'));
      });
    }));
});

describe('a guessed encoding', () => {
  const cp850 = joined('rem ', hex('8274'), hex('82'), ' ', hex('85'), ' la fin\r\necho one\r\n');
  const files: readonly (readonly [what: string, content: Buffer, letter: string])[] = [
    ['Czech in windows-1250', inSet('cp1250', czech), 'ř'],
    ['Hungarian in ISO-8859-2', inSet('iso-8859-2', `${hungarian}\n`), 'ő'],
    ['French in CP850', cp850, 'é'],
    ['French in windows-1252', inSet('latin1', 'déjà vu\n'), 'ç'],
    ['French of a Macintosh', inSet('macintosh', 'déjà vu\n'), 'ç'],
    ['Greek in windows-1253', inSet('cp1253', 'καλημερα κοσμε ελλαδα\n'), 'ω'],
    ['Hebrew in windows-1255', inSet('cp1255', 'שלום עולם\n'), 'ת'],
    ['Turkish in windows-1254', inSet('cp1254', 'ağaç\n'), 'ş'],
    ['Russian in windows-1251', inSet('cp1251', 'файл с русским текстом\n'), 'Щ'],
    ['Russian in KOI8-R', inSet('koi8-r', 'файл с русским текстом\n'), 'Щ'],
    ['Russian in CP866', inSet('ibm866', 'файл с русским текстом\n'), 'Щ'],
    ['Russian capitals that pairs could be', inSet('cp1251', 'ПРИВЕТ МИРУ\n'), '你'],
    ['a quote of Windows', inSet('cp1252', 'it’s\n'), 'é'],
  ];
  test('is reported by Read', () =>
    eachRow(files, ([, content]) =>
      workspace(content, async ({ call }) => {
        const { output } = await call('Read');
        expect(output).toMatch(/\[The encoding is a guess \([a-z0-9-]+\), so characters beyond ASCII may be wrong/);
        expect(output).not.toMatch(/stored as|is windows-1252|convert/i);
      }),
    ));

  const puts = (letter: string) =>
    [
      ['Edit', { old_string: 'X', new_string: `X${letter}` }],
      ['Edit', { old_string: 'X', new_string: letter, replace_all: true }],
      ['Edit', { old_string: ' X', new_string: `  ${letter}` }],
      ['Write', { content: `new ${letter}\n` }],
      ['Write', { content: `new ${letter} →\n` }],
      ['ApplyPatch', { patch: `*** Begin Patch\n*** Update File: a.txt\n@@\n-X\n+X${letter}\n*** End Patch` }],
    ] as const;
  test('refuses other letters; the error names a byte and how to declare the encoding', () =>
    eachRow(files, ([, content, letter]) => {
      const before = joined(content, 'X\n');
      return workspace(before, async ({ call, bytes }) => {
        await call('Read');
        for (const [name, input] of puts(letter)) {
          const { ok, output, code } = await call(name, input);
          if (input === puts(letter)[2]?.[1] && code === 'no_match') continue;
          expect([name, ok, code]).toEqual([name, false, 'unsupported_file']);
          expect(output).toMatch(/is a guess[\s\S]*[Bb]yte 0x[89A-F][0-9A-F][\s\S]*coding: NAME/);
          expect(output).not.toMatch(/convert|iconv|stored as/i);
          expect(bytes()).toBe(before.toString('hex'));
        }
      });
    }));

  test('accepts ASCII, and keeps every other byte', () =>
    eachRow(files, ([, content]) =>
      workspace(joined(content, 'X\n'), async ({ call, bytes }) => {
        expect(await call('Edit', { old_string: 'X', new_string: 'Y' })).toMatchObject({ ok: true });
        expect(bytes()).toBe(joined(content, 'Y\n').toString('hex'));
        expect(await call('Write', { content: 'plain\n' })).toMatchObject({ ok: true });
      }),
    ));

  test('accepts characters that the file shows, with the same byte', () =>
    eachRow(files, ([, content]) =>
      workspace(joined(content, 'X\n'), async ({ call, bytes }) => {
        const [line = ''] = (await call('Read')).output.split('\n');
        const shown = line.slice(line.indexOf('\t') + 1);
        const first = content.toString('latin1').split(/\r?\n/)[0] ?? '';
        expect(await call('Edit', { old_string: 'X', new_string: shown })).toMatchObject({ ok: true });
        expect(bytes()).toBe(joined(content, Buffer.from(first, 'latin1'), '\n').toString('hex'));
        const { ok, output } = await call('Write', { content: `${shown}\n` });
        expect(ok).toBe(true);
        expect(output).not.toMatch(/encoding \(windows/);
        expect(bytes().startsWith(Buffer.from(first, 'latin1').toString('hex'))).toBe(true);
      }),
    ));

  const same: readonly (readonly [what: string, content: Buffer, made: string, after: string])[] = [
    ['a French word', hex('636166e920'), 'ü', 'fc'],
    ['a German word', hex('4dfc6c6c657220'), 'äöß', 'e4f6df'],
    ['Czech', inSet('cp1250', 'kůň, kůrka, člověk, lučina '), 'é', 'e9'],
    ['Hungarian', inSet('iso-8859-2', 'kék '), 'ö', 'f6'],
  ];
  test('accepts letters with the same byte in all Latin encodings, in text with Latin words', () =>
    eachRow(same, ([, content, made, after]) =>
      workspace(joined(content, 'X'), async ({ call, bytes }) => {
        expect(await call('Edit', { old_string: 'X', new_string: made })).toMatchObject({ ok: true });
        expect(bytes()).toBe(content.toString('hex') + after);
        expect(await call('Edit', { old_string: made, new_string: 'ñ' })).toMatchObject({ ok: false });
      }),
    ));

  test('is replaced by a declaration that is inserted', () =>
    workspace(joined('# X\n', inSet('cp1250', czech)), async ({ call, bytes }) => {
      expect(await call('Edit', { old_string: '# X', new_string: '# coding: cp1250\n# X' })).toMatchObject({
        ok: true,
      });
      expect((await call('Read')).output).toContain('žluťoučký');
      expect(await call('Edit', { old_string: 'X', new_string: 'ř' })).toMatchObject({ ok: true });
      expect(bytes()).toBe(inSet('cp1250', `# coding: cp1250\n# ř\n${czech}`).toString('hex'));
    }));

  test('is used if the declaration cannot be right', () =>
    workspace(joined('# coding: cp850\n', hex('82'), 't', hex('82'), '\nX\n'), async ({ call }) => {
      await call('Read');
      const { output } = await call('Edit', { old_string: 'X', new_string: 'ñ' });
      expect(output).toContain('The file declares cp850, which is not supported.');
      expect(output).not.toContain('coding: NAME');
    }));

  const written: readonly (readonly [what: string, content: string, after: Buffer | RegExp])[] = [
    ['the set of the old one', `# coding: cp1250\n${czech}`, inSet('cp1250', `# coding: cp1250\n${czech}`)],
    ['UTF-8', `# coding: utf-8\n${czech}→\n`, joined(`# coding: utf-8\n${czech}→\n`)],
    ['a set that lacks a letter', `# coding: cp1250\nř →\n`, /declares windows-1250, which lacks "→"/],
    ['a set that is not supported', `# coding: cp850\nñ\n`, /is a guess/],
  ];
  test('is replaced by new content with a declaration', () =>
    eachRow(written, ([, content, after]) =>
      workspace(inSet('cp1250', czech), async ({ call, bytes }) => {
        await call('Read');
        const { ok, output } = await call('Write', { content });
        expect(ok).toBe(!(after instanceof RegExp));
        if (after instanceof RegExp) expect(output).toMatch(after);
        expect(bytes()).toBe((after instanceof RegExp ? inSet('cp1250', czech) : after).toString('hex'));
      }),
    ));

  const certain: readonly (readonly [what: string, content: Buffer, letter: string, after: string])[] = [
    ['UTF-8', joined('é X'), '→', 'c3a920e28692'],
    ['ASCII', joined('a X'), 'é', '6120c3a9'],
    ['UTF-16', Buffer.from('\ufeffé X', 'utf16le'), 'ř', 'fffee90020005901'],
    ['Japanese', joined(hex('82b182f182c982bf82cd'), ' X'), '日', '82b182f182c982bf82cd2093fa'],
  ];
  test('is not used if the encoding is certain', () =>
    eachRow(certain, ([, content, letter, after]) =>
      workspace(content, async ({ call, bytes }) => {
        expect((await call('Read')).output).not.toContain('guess');
        expect(await call('Edit', { old_string: 'X', new_string: letter })).toMatchObject({ ok: true });
        expect(bytes()).toBe(after);
      }),
    ));
});
