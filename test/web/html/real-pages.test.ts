import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { htmlToMarkdown } from 'toolwright/web';
import { expect, test } from 'vitest';
import { eachRow } from '../../support/each-row.js';
import { visibleWords, wordsOf } from '../../support/visible-words.js';

// Test pages of the W3C from a package of the benchmark, and documentation on this system.
const installed = pagesBelow('node_modules/@mixmark-io/domino/test');
const documentation = pagesBelow('/usr/share/doc');
const step = Math.max(1, Math.floor(documentation.length / 30));
const pages = [...installed, ...documentation.filter((_path, index) => index % step === 0)];

test('at least twenty real pages are available', () => expect(pages.length).toBeGreaterThanOrEqual(20));

test('real pages keep at least 98 % of their visible words', () =>
  eachRow(pages, (path) => {
    const html = readFileSync(path, 'utf8').slice(0, 200_000);
    const wanted = visibleWords(html);
    const held = new Map<string, number>();
    for (const word of wordsOf(htmlToMarkdown(html))) held.set(word, (held.get(word) ?? 0) + 1);
    const missing = wanted.filter((word) => {
      const count = held.get(word) ?? 0;
      held.set(word, count - 1);
      return count <= 0;
    });
    expect(missing.length, missing.slice(0, 20).join(' ')).toBeLessThanOrEqual(wanted.length * 0.02);
  }));

function pagesBelow(folder: string): string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => /\.html?$/.test(name)).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
