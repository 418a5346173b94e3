import { syntaxChecker } from 'toolwright/files';
import { expect, test } from 'vitest';
import { syntaxNotes } from '../../src/tools/content/syntax-check.js';

test('there is no note without a checker, for binary content, or for valid content', async () => {
  const checker = syntaxChecker();
  expect(await syntaxNotes(undefined, '/a.json', undefined, [Buffer.from('{')])).toEqual([]);
  expect(await syntaxNotes(checker, '/a.json', undefined, [Buffer.from([0, 1, 0, 2])])).toEqual([]);
  expect(await syntaxNotes(checker, '/a.json', undefined, [Buffer.from('{'), Buffer.from('}')])).toEqual([]);
});

test('a check that fails gives no note, because the file is written', async () => {
  const newErrors = () => {
    throw new RangeError('Maximum call stack size exceeded');
  };
  expect(await syntaxNotes({ newErrors }, '/a.ts', undefined, [Buffer.from('x')])).toEqual([]);
});

test('UTF-16 is checked as text', async () => {
  const notes = await syntaxNotes(syntaxChecker(), '/a.json', undefined, [Buffer.from('\ufeff{', 'utf16le')]);
  expect(notes).toHaveLength(1);
});
