import { htmlToMarkdown } from 'toolwright/web';
import { expect, test } from 'vitest';
import { eachRow } from '../../support/each-row.js';
import { sample } from '../../support/runs.js';

const nested = [
  'div',
  'b',
  'p',
  'span hidden',
  'ul><li',
  'blockquote',
  'table><tr><td',
  'table><tr><th',
  'pre',
  'template',
  'svg',
  'a href=/x',
];
// Quadratic time would exceed the time limit of the test.
test('a million nested tags are converted', () =>
  eachRow(nested, (tag) =>
    expect(htmlToMarkdown(`${`<${tag}>`.repeat(1_000_000)}x`, { main: true })).toBeTypeOf('string'),
  ));

const parts = [
  ['words', 'abc de ', 1_500_000],
  ['stars', '*a ', 3_000_000],
  ['entities', '&amp;lt; ', 1_100_000],
  ['paragraphs', '<p>a', 2_500_000],
  ['code', 'a <code>b</code> ', 600_000],
  ['links', '<a href=a>[b</a> ', 600_000],
  ['rows', '<tr><td>a<td>b', 700_000],
  ['ends of nothing', '</p></li></b></td>', 550_000],
  ['breaks', 'a<br>', 2_000_000],
] as const;

test('10 MB of one construct are converted', () =>
  eachRow(sample(parts), ([, part, count]) => {
    const options = { baseUrl: 'https://example.org/', main: true };
    expect(htmlToMarkdown(`<table><tr><td><div>${part.repeat(count)}`, options)).toBeTypeOf('string');
  }));

const wholes = [
  ['attribute', (part: string) => `<p title="${part}">x`, 'y'],
  ['address', (part: string) => `<a href="${part}">x`, 'y'],
  ['style', (part: string) => `<p style="${part}">x`, '; '],
  ['attribute that does not end', (part: string) => `x<p title="${part}`, 'y'],
  ['comment', (part: string) => `x<!--${part}`, 'y'],
] as const;

test('50 MB in one piece are converted and leave no trace', () =>
  eachRow(sample(wholes), ([, page, part]) => expect(htmlToMarkdown(page(part.repeat(50e6 / part.length)))).toBe('x')));
