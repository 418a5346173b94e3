import { describe, expect, test } from 'vitest';
import { attachmentNote, attachmentsOf, contextText, resultText } from '../../src/adapters/result-text.js';
import { eachRow } from '../support/each-row.js';
import { failed, pixel, succeeded } from './results.js';

describe('the text of a result', () => {
  test('is its output, to the letter', () =>
    expect(resultText(succeeded('  1\tError: Error: in the file\n'))).toBe('  1\tError: Error: in the file\n'));

  const rows = [
    ['gone', 'Error: gone'],
    ['Error: gone', 'Error: gone'],
    ['Error: Error: Error: gone', 'Error: gone'],
    ['', 'Error: '],
    ['gone\nError: below', 'Error: gone\nError: below'],
  ] as const;
  test('says "Error: " once in front of a failure', () =>
    eachRow(rows, ([output, text]) => expect(resultText(failed(output))).toBe(text)));

  test('is empty where there is nothing to read', () =>
    eachRow(['', ' \n'], (output) => {
      expect(resultText(succeeded(output))).toBe('');
      expect(contextText(succeeded('x', { additionalContext: output }))).toBe('');
    }));

  test('holds no lone surrogates', () => {
    expect(resultText(succeeded('\uDC00a\uD800'))).toBe('\uFFFDa\uFFFD');
    expect(contextText(succeeded('', { additionalContext: 'b\uD800' }))).toBe('b\uFFFD');
  });
});

test('a failure has no attachments', () => {
  const attachments = [{ mediaType: 'image/png', data: pixel }];
  expect(attachmentsOf(succeeded('x', { attachments }))).toBe(attachments);
  expect(attachmentsOf(failed('Error: x'))).toEqual([]);
});

test('an attachment is named with its type and size', () => {
  expect(attachmentNote({ mediaType: 'audio/wav', data: 'A'.repeat(4000), name: 'a.wav' })).toBe(
    '[Attachment not shown: a.wav, audio/wav, 3 KB]',
  );
  expect(attachmentNote({ mediaType: 'audio/wav', data: '' })).toBe('[Attachment not shown: audio/wav, 0 KB]');
});
