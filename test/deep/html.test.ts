import { expect, test } from 'vitest';
import { htmlToMarkdown, readHtml } from '../../src/text/html/html-to-markdown.js';

// Seconds of processor time, which do not depend on what else the machine does.
function cpuSeconds(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

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
test.each(nested)('100,000 nested tags <%s> end in 2 s', (tag) => {
  const html = `${`<${tag}>`.repeat(100_000)}x`;
  expect(cpuSeconds(() => htmlToMarkdown(html, { main: true }))).toBeLessThan(2);
});

test.each([
  ['words', 'abc de ', 1_500_000],
  ['stars', '*a ', 3_000_000],
  ['entities', '&amp;lt; ', 1_100_000],
  ['paragraphs', '<p>a', 2_500_000],
  ['code', 'a <code>b</code> ', 600_000],
  ['links', '<a href=a>[b</a> ', 600_000],
  ['rows', '<tr><td>a<td>b', 700_000],
  ['ends of nothing', '</p></li></b></td>', 550_000],
  ['breaks', 'a<br>', 2_000_000],
])('10 MB of %s end in 10 s', (_what, part, count) => {
  const html = `<table><tr><td><div>${part.repeat(count)}`;
  expect(cpuSeconds(() => htmlToMarkdown(html, { baseUrl: 'https://example.org/', main: true }))).toBeLessThan(10);
});

test.each([
  ['attribute', `<p title="${'y'.repeat(50e6)}">x`],
  ['address', `<a href="${'y'.repeat(50e6)}">x`],
  ['style', `<p style="${'; '.repeat(25e6)}">x`],
  ['attribute that does not end', `x<p title="${'y'.repeat(50e6)}`],
  ['comment', `x<!--${'y'.repeat(50e6)}`],
])('50 MB of one %s end in 10 s and leave no trace', (_what, html) => {
  const seconds = cpuSeconds(() => expect(htmlToMarkdown(html)).toBe('x'));
  expect(seconds).toBeLessThan(10);
});

test('a page of 10 MB is read in steps of less than 200 ms', async () => {
  const html = '<div><h2>Title</h2><p>Some <b>text</b> with a <a href=/x>link</a>.</p><ul><li>a<li>b</ul></div>'.repeat(
    100_000,
  );
  let longest = 0;
  let last = process.cpuUsage();
  let isReading = true;
  const look = () => {
    const { user, system } = process.cpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.cpuUsage();
    if (isReading) setImmediate(look);
  };
  look();
  await readHtml(html, { main: true });
  isReading = false;
  look();
  expect(longest).toBeLessThan(200);
});
