import { existsSync, readFileSync } from 'node:fs';
import { htmlToText } from 'html-to-text';
import TurndownService from 'turndown';
import { htmlToMarkdown } from '../src/web/html/to-markdown.js';
import { alternate, report } from './alternate.js';
import { expect } from './workspace.js';

// HTML to Markdown against turndown and html-to-text, on the documentation of Node.js if the system has it, otherwise
// on a generated page. Usage: npm run bench -- html

const documentation = '/usr/share/doc/nodejs/api';
const made = [
  '<section><h2><a href="#x">Title</a></h2><p>Some <b>text</b> with <code>code</code>, a <a href="/y">link</a> &amp; more.</p>',
  '<ul><li>one<li><p>two</p></ul><pre><code class="language-js">const a = <span>1</span>;\n</code></pre>',
  '<table><tr><th>Name<th>Value<tr><td>a<td>1</table></section>',
].join('\n');

for (const [title, name, copies, rounds] of [
  ['0.7 MB', 'fs.html', 2_000, 9],
  ['8.4 MB', 'all.html', 24_000, 3],
] as const) {
  const path = `${documentation}/${name}`;
  const html = existsSync(path) ? readFileSync(path, 'utf8') : made.repeat(copies);
  const turndown = new TurndownService();
  const subjects = {
    'html-to-text': () =>
      expect(htmlToText(html, { wordwrap: false, limits: { maxInputLength: 1e9 } }).length > 1_000, 'text'),
    htmlToMarkdown: () => expect(htmlToMarkdown(html, { baseUrl: 'https://example.org/' }).length > 1_000, 'markdown'),
  };
  // turndown takes minutes for the long page.
  const slow = { turndown: () => expect(turndown.turndown(html).length > 1_000, 'markdown') };
  if (title === '0.7 MB') {
    const timings = await alternate({ ...slow, ...subjects }, rounds);
    report(`${title}, against turndown`, timings, { htmlToMarkdown: 0.25 });
  }
  report(`${title}, against html-to-text`, await alternate(subjects, rounds), { htmlToMarkdown: 1 / 1.2 });
}
