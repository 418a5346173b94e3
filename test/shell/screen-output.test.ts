import { expect, test } from 'vitest';
import { createScrubber } from '../../src/index.js';
import type { CaptureFile } from '../../src/shell/output/capture-file.js';
import { type ScreenLines, ScreenOutput } from '../../src/shell/output/screen.js';

function shown(screen: ScreenLines) {
  const scrubber = createScrubber();
  return new ScreenOutput({} as CaptureFile, { lines: () => screen }, { maxChars: 30_000, scrubber });
}

test('each reader gets the whole screen each time, without blank rows at its end', async () => {
  const output = shown({ lines: ['gone', 'one', '', 'two', '', ''], shownFrom: 1 });
  const reader = output.open();
  expect([await reader.read(false), await reader.read(true)]).toEqual(['one\n\ntwo', 'one\n\ntwo']);
  expect(output.show()).toEqual({ text: 'one\n\ntwo', isCut: true, streams: undefined });
  expect(output.tail(3)).toBe('two');
  expect(shown({ lines: ['😀a'], shownFrom: 0 }).tail(2)).toBe('a');
});

test('a secret that began above the screen is not shown', () => {
  const key = ['-----BEGIN PRIVATE', 'KEY-----'].join(' ');
  const end = ['-----END PRIVATE', 'KEY-----'].join(' ');
  const lines = [key, ...Array.from({ length: 4 }, (_, row) => `MIIEvQIBADANBgkqhkiG9w0BAQEF${row}`), end, '$ '];
  const { text } = shown({ lines, shownFrom: 3 }).show();
  expect(text).not.toContain('MIIE');
  expect(text.split('\n').at(-1)).toBe('$');
});
