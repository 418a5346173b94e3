import fc from 'fast-check';
import { htmlToMarkdown } from 'toolwright/web';
import { describe, expect, test } from 'vitest';
import { readHtml } from '../../../src/web/html/to-markdown.js';
import { eachRow, table } from '../../support/each-row.js';

const baseUrl = 'https://example.org/docs/page.html';

const snippets: Readonly<Record<string, readonly (readonly [what: string, html: string, markdown: string])[]>> = {
  blocks: [
    ['headings', '<h1>A</h1><h3>B<br>c</h3>', '# A\n\n### B c'],
    ['a heading that is ended as another', '<h1>A</h2>b', '# A\n\nb'],
    ['paragraphs that nobody ends', '<p>a<p>b<div>c</div>d', 'a\n\nb\n\nc\n\nd'],
    ['white space as one space', ' a\n\t b&nbsp;&nbsp;c <!-- x --> d ', 'a b c d'],
    ['space between elements, not between letters', 'a<span> b</span>c<b>d</b> <i>e </i>f', 'a bc**d** *e* f'],
    ['line breaks', '<p><br>a<br>b<br><br>c<br></p>', 'a  \nb\n\nc'],
    ['a rule', 'a<hr>b', 'a\n\n---\n\nb'],
    [
      'nested quotes',
      '<blockquote>a<blockquote><p>b<p>c</blockquote>d</blockquote>e',
      '> a\n>\n> > b\n> >\n> > c\n>\n> d\n\ne',
    ],
    ['definitions', '<dl><dt>a<dd>b<p>c<dt>d<dd>e</dl>', 'a\n: b\n\n  c\n\nd\n: e'],
    ['details', '<details><summary>More</summary>text</details>', 'More\n\ntext'],
    [
      'a form',
      '<form><label>Name</label> <input value=x><input type=checkbox checked>yes<select><option>A<option>B</select></form>',
      'Name [x] yes\n\nA\n\nB',
    ],
  ],
  lists: [
    ['a list', '<ul><li>a<li><p>b</p></li><li></li><li>c</ul>d', '- a\n- b\n- c\n\nd'],
    ['numbers', '<ol start=9><li>a<li>b</ol><ol start=x><li>c</ol>', '9. a\n10. b\n\n1. c'],
    ['numbers from 0, and of one item', '<ol start=0><li>a<li value=7>b<li>c</ol>', '0. a\n7. b\n8. c'],
    ['lists in lists', '<ul><li>a<ol><li>b<ul><li>c</ul></ol><li>d</ul>', '- a\n  1. b\n     - c\n- d'],
    ['blocks in items', '<ol><li>a<p>b<pre>c</pre><li>d</ol>', '1. a\n\n   b\n\n   ```\n   c\n   ```\n2. d'],
    ['a list in a quote', '<blockquote><ul><li>a<li>b</ul></blockquote>', '> - a\n> - b'],
    ['a quote in a list', '<ul><li><blockquote>a</blockquote></ul>', '- > a'],
    ['a list in a definition', '<dl><dd><ul><li>a</ul></dl>', ': - a'],
    ['items without a list', '<li>a<li>b', '- a\n- b'],
  ],
  tables: [
    ['a table', '<table><tr><th>A<th>B<tr><td>1<td>2</table>', '| A | B |\n| --- | --- |\n| 1 | 2 |'],
    [
      'a head of ordinary cells',
      '<table><thead><tr><td>A<td>B<tbody><tr><td>1<td>2</table>',
      '| A | B |\n| --- | --- |\n| 1 | 2 |',
    ],
    [
      'data without names',
      '<table><tr><td>1<td>2<tr><td>3<td>4</table>',
      '|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |',
    ],
    [
      'names of rows behind an empty row',
      '<table><tr></tr><tr><td>a<td>b</tr><tr><th>c<td>d</table>',
      '|  |  |\n| --- | --- |\n| a | b |\n| c | d |',
    ],
    ['names of rows', '<table><tr><th>A<td>1<tr><th>B<td>2</table>', '|  |  |\n| --- | --- |\n| A | 1 |\n| B | 2 |'],
    [
      'pipes and lines in cells',
      '<table><tr><th>A|<th>B<tr><td><code>|</code><td>x<br>y<p>z</table>',
      '| A\\| | B |\n| --- | --- |\n| `\\|` | x<br>y<br>z |',
    ],
    ['a layout of one row', '<table><tr><td>menu<td><h1>A</h1><p>b</table>', 'menu\n\n# A\n\nb'],
    [
      'data in a layout',
      '<table><tr><td>menu<td>a<table><tr><th>A<th>B<tr><td>1<td>2</table>b</table>',
      'menu\n\na\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\nb',
    ],
    [
      'a table in data',
      '<table><tr><th>A<th>B<tr><td>1<td><table><tr><td>2<td>3<tr><td>4</table></table>',
      '| A | B |\n| --- | --- |\n| 1 | 2<br>3<br>4 |',
    ],
    [
      'a table in a list',
      '<ul><li><table><tr><th>A<th>B<tr><td>1<td>2</table></ul>',
      '- | A | B |\n  | --- | --- |\n  | 1 | 2 |',
    ],
    [
      'what says that it is a layout',
      '<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>',
      'a\n\nb\n\nc\n\nd',
    ],
    [
      'a caption, and text outside the cells',
      '<table><caption>C</caption>x<tr><th>A<th>B<tr><td>1<td>2</table>',
      'C\n\nx\n\n| A | B |\n| --- | --- |\n| 1 | 2 |',
    ],
    [
      'cells over several columns and rows',
      '<table><tr><th colspan=2>A<th>B<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5<tr><td>6</table>',
      '| A |  | B |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n|  | 4 | 5 |\n| 6 |',
    ],
    ['cells without a table', '<tr><td>a</td></tr>', 'a'],
  ],
  code: [
    ['preformatted text', '<pre>\n a\n\n  b <b>c</b>\n</pre>', '```\n a\n\n  b c\n```'],
    ['its language', '<pre><code class="hljs language-ts">a</code></pre>', '```ts\na\n```'],
    [
      'its language from around',
      '<div class="highlight-python notranslate"><div class=highlight><pre>a</pre></div></div>',
      '```python\na\n```',
    ],
    ['no language of people', '<div class=lang-en><pre>a</pre></div>', '```\na\n```'],
    ['a fence longer than those in it', '<pre>```\na</pre>', '````\n```\na\n````'],
    ['lines as blocks', '<pre><div>a</div><div>b</div>c<br>d</pre>', '```\na\nb\nc\nd\n```'],
    ['code in a line', '<p><code>a  b</code> <kbd>`</kbd> <code>*x*</code>', '`a b` `` ` `` `*x*`'],
    ['a link in code', '<code>A&lt;<a href=b>B</a>&gt;</code>', '`A<B>`'],
  ],
  'numbers that markup raises': [
    [
      'powers',
      '10<sup>6</sup> and 10<sup>&minus;6</sup> m<sup>2</sup>, x<sup>n+1</sup>',
      '10^6 and 10^−6 m^2, x^(n+1)',
    ],
    ['a power before more of the number', '10<sup>6</sup>5 x<sup>n</sup>y', '10^(6)5 x^(n)y'],
    ['powers of powers', '2<sup>10<sup>2</sup></sup>', '2^(10^2)'],
    ['indices', 'H<sub>2</sub>O, x<sub>1</sub>2', 'H_2O, x_(1)2'],
    ['in code', '<code>2<sup>10</sup></code><pre>2<sup>10</sup>\n  1</pre>', '`2^10`\n\n```\n2^10\n  1\n```'],
    ['in cells', '<table><tr><th>a<th>b<tr><td>10<sup>6</sup><td>1</table>', '| a | b |\n| --- | --- |\n| 10^6 | 1 |'],
    [
      'in links and headings',
      '<h2>10<sup>6</sup> <a href=/a>m<sup>3</sup></a></h2>',
      '## 10^6 [m^3](https://example.org/a)',
    ],
    [
      'notes',
      'word<sup><a href=#n>[1]</a></sup> <sup>2</sup>Note',
      'word^[[1]](https://example.org/docs/page.html#n) ^2Note',
    ],
    ['signs that are always raised', 'Name<sup>®</sup> 20<sup>°</sup>', 'Name® 20°'],
    ['emphasis in them, space, and nothing', 'x<sup><i>n</i></sup> 3<sup> 2 </sup>m a<sup></sup>b', 'x^*n* 3 ^2 m ab'],
    ['fractions of HTML', '1<sup>1</sup>/<sub>2</sub> <sup>3</sup>&frasl;<sub>4</sub>', '1 1/2 3/4'],
    ['one that nobody ends', '10<sup>6<p>b', '10^6\n\nb'],
    ['fenced numbers', '<math><mfenced><mn>1</mn><mn>2</mn></mfenced></math>', '(1,2)'],
    ['scripts', '<math><mmultiscripts><mi>C</mi><mn>6</mn><mn>14</mn></mmultiscripts></math>', 'C (6,14)'],
    ['fractions', '<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>', '1/2'],
    ['mixed numbers', '<math><mn>3</mn><mfrac><mn>1</mn><mn>2</mn></mfrac></math>', '3 1/2'],
    [
      'fractions of sums, and before a factor',
      '<math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac><mi>x</mi></math>',
      '((a+b)/c)x',
    ],
    ['fractions in fractions', '<math><mfrac><mn>1</mn><mfrac><mn>2</mn><mn>3</mn></mfrac></mfrac></math>', '1/(2/3)'],
    [
      'roots',
      '<math><msqrt><mn>2</mn></msqrt><mo>+</mo><msqrt><mn>1</mn><mo>+</mo><mi>x</mi></msqrt></math>',
      '√2+√(1+x)',
    ],
    ['cube roots', '<math><mroot><mn>8</mn><mn>3</mn></mroot></math>', '8^(1/3)'],
    [
      'powers and indices of formulas',
      '<math><msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup><mo>=</mo><msup><mn>10</mn><mn>6</mn></msup></math>',
      'x_i^2=10^6',
    ],
    [
      'limits',
      '<math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>a</mi><mi>i</mi></msub></math>',
      '∑_(i=1)^(n)a_i',
    ],
    ['cells of a matrix', '<math><mtable><mtr><mtd><mn>1</mn><mtd><mn>2</mn></mtable></math>', '1 2'],
    [
      'the TeX of a formula, once',
      'so <span><math><semantics><mrow><mn>10</mn></mrow><annotation encoding="application/x-tex">10^6 \\\\ \\[2pt]</annotation>' +
        '<annotation encoding="text/plain">no</annotation></semantics></math></span><span aria-hidden=true>106</span> it',
      'so $10^6 \\\\ \\[2pt]$ it',
    ],
  ],
  'where a page leads on': [
    [
      'a refresh',
      '<meta http-equiv=refresh content="0; url=/new">',
      '[The page redirects to another page](https://example.org/new)',
    ],
    [
      'a refresh in other words, before the text',
      `<META HTTP-EQUIV="Refresh" CONTENT="5;URL='../a b'"><p>Moved`,
      '[The page redirects to another page](https://example.org/a%20b)\n\nMoved',
    ],
    [
      'a refresh without a word',
      '<meta http-equiv=refresh content="3, http://h.net/x">',
      '[The page redirects to another page](http://h.net/x)',
    ],
    [
      'a refresh to itself, or to nowhere safe',
      '<meta http-equiv=refresh content=30><meta http-equiv=refresh content="0;url=javascript:x">a',
      'a',
    ],
    [
      'frames',
      '<frameset><frame src=/l title=Left><frame src=/r></frameset>',
      '[Left](https://example.org/l)\n\n[Frame](https://example.org/r)',
    ],
    [
      'a frame in the text',
      'a<iframe src=//h.net/v title="Film"><p>old</iframe>b',
      'a\n\n[Film](https://h.net/v)\n\nb',
    ],
    [
      'no hidden frame, nor one without an address',
      '<iframe hidden src=/a></iframe><iframe srcdoc=x></iframe><iframe src=about:blank></iframe>b',
      'b',
    ],
  ],
  'buttons of code': [
    ['in it', '<pre><code>npm i</code><button>Copy</button></pre>', '```\nnpm i\n```'],
    ['before it', '<pre><button><span>Copy</span></button>npm i</pre>', '```\nnpm i\n```'],
    ['beside it', '<div><button>Copy</button><pre>npm i</pre></div>b', '```\nnpm i\n```\n\nb'],
    [
      'behind it',
      '<div><pre>npm i</pre><div><button>Wrap</button><button>Copy</button></div></div>b',
      '```\nnpm i\n```\n\nb',
    ],
    ['by their role', '<pre>npm i<span role=button tabindex=0>Copy</span></pre>', '```\nnpm i\n```'],
    ['in code of a line', '<code>npm i<button>Copy</button></code>', '`npm i`'],
    ['and not others', '<p>Press <button>Save</button><p><button>Go</button>', 'Press Save\n\nGo'],
  ],
  'marks and links': [
    ['emphasis', '<b>a</b> <em>b</em> <del>c</del> <strong><i>d</i></strong>', '**a** *b* ~~c~~ ***d***'],
    ['emphasis over blocks', '<b><p>a<p>b</b>c', '**a**\n\n**b**\n\nc'],
    ['emphasis that is misnested', '<b>a<i>b</b>c</i>d', '**a*b***cd'],
    ['empty emphasis', 'a<b></b><i> </i>b', 'a b'],
    [
      'links',
      '<a href="../a?b=1&amp;c">x</a> <a href=//h.net>y</a> <a href=#z>z</a>',
      '[x](https://example.org/a?b=1&c) [y](https://h.net/) [z](https://example.org/docs/page.html#z)',
    ],
    ['links by the base of the page', '<base href=/b/><base href=/c/><a href=x>y</a>', '[y](https://example.org/b/x)'],
    ['odd addresses', '<a href=" a (b) ">x</a>', '[x](https://example.org/docs/a%20%28b%29)'],
    [
      'links that lead nowhere safe',
      '<a href="java\nscript:alert(1)">a</a> <a href=data:,x>b</a> <a href="vbscript:x">c</a> <a href=http://[>d</a> <a>e</a>',
      'a b c d e',
    ],
    ['links over blocks once', '<a href=/x><h2>A</h2><p>b</p></a>', '## [A](https://example.org/x)\n\nb'],
    ['a link in a link', '<a href=/a>a<a href=/b>b</a>c', '[a](https://example.org/a)[b](https://example.org/b)c'],
    [
      'brackets in links',
      '<a href=/a>[1]</a> <a href=/b>]</a>',
      '[[1]](https://example.org/a) [\\]](https://example.org/b)',
    ],
    [
      'a link that ends itself',
      '<a href=/a>x] [y</a>(http://h.net/)',
      '[x\\] [y](https://example.org/a)(http://h.net/)',
    ],
    ['images', '<a href=/a><img alt="An\n image"></a><img src=x><img alt="">', '[An image](https://example.org/a)'],
  ],
  'what is not shown': [
    [
      'scripts and styles',
      'a<script>if (x<b) "</p>"</script><style>p{}</style><noscript>b</noscript><template><p>c</template>d',
      'ad',
    ],
    ['the head', '<head><title>T</title><meta charset=utf-8></head><body>a', 'a'],
    [
      'hidden parts',
      '<p hidden>a<p>b<i aria-hidden=true>c</i><div style="Color: red; DISPLAY:none">d<div>e</div></div><p style="visibility: hidden">f',
      'b',
    ],
    ['what is hidden and not ended', '<ul><li hidden>a<li>b</ul><span hidden>c<p>d</p></span>e', '- b\n\ne'],
    ['hidden emphasis that is not ended', '<p><b hidden>a</p><p>b</b>c<table><tr><td><i hidden>d</table>e', 'c\n\ne'],
    ['SVG, until HTML goes on', 'a<svg><style/><title>b</title><text>c</text><p>d', 'a\n\nd'],
    [
      'text that is hidden from screen readers alone',
      '<span aria-hidden=true>5 €</span> <p aria-hidden=TRUE>a</p>',
      '5 €\n\na',
    ],
    [
      'what a search in the page finds',
      '<div hidden=until-found>a</div><div hidden=UNTIL-FOUND>b</div><div hidden="">c</div>',
      'a\n\nb',
    ],
    [
      'a template, unless it is a shadow root',
      '<my-card><template shadowrootmode=open><style>p{}</style><p>a</p></template>b</my-card><template>c</template>',
      'a\n\nb',
    ],
    ['a dialog that is closed', '<dialog>a</dialog><dialog open>b</dialog>', 'b'],
    [
      'an open dialog with another reason',
      '<dialog open hidden>a</dialog><dialog open style="display:none">b</dialog>c',
      'c',
    ],
  ],
  'characters that Markdown would read': [
    [
      'at the start of a line',
      '<p># a<p>&gt; b<p>- c<p>+ d<p>1. e<p>* f<p>---<p>~~~<p>[g]: h<p>x<br>2) i',
      '\\# a\n\n\\> b\n\n\\- c\n\n\\+ d\n\n1\\. e\n\n\\* f\n\n\\---\n\n\\~~~\n\n[g]: h\n\nx  \n2\\) i',
    ],
    [
      'and not',
      '<p>#a<p>-c 1.5 a * b<p>3*4 *args **kw snake_case_name<p>[a] a &lt; b & c! C:\\dir',
      '#a\n\n-c 1.5 a * b\n\n3*4 *args **kw snake_case_name\n\n[a] a < b & c! C:\\dir',
    ],
    ['but not as emphasis', '*a* __b__ ~~c~~ `d`', '*a* __b__ ~~c~~ \\`d\\`'],
    ['beside marks of ours', '<b>a</b> *b and `<code>c</code>', '**a** *b and \\``c`'],
    ['as links, tags, entities and escapes', '[a](b) &lt;b> &amp;lt; \\*', '[a\\](b) \\<b> &lt; \\*'],
  ],
  'text that no browser loses': [
    ['ends of nothing', 'a</p></div></b></li></table>b', 'a\n\nb'],
    ['misnested blocks', '<div>a<p>b</div>c</p>d', 'a\n\nb\n\nc\n\nd'],
    ['a tag that does not end', 'a <b', 'a'],
    ['plain text', 'a<plaintext><b>c', 'a\n\n\\<b>c'],
    ['a text area', '<textarea><b></textarea>', '\\<b>'],
  ],
};

describe.each(Object.entries(snippets))('%s', (_group, rows) => {
  test('becomes Markdown', () =>
    eachRow(rows, async ([, html, markdown]) => {
      expect(htmlToMarkdown(html, { baseUrl })).toBe(markdown);
      expect(await readHtml(html, { baseUrl })).toBe(markdown);
    }));
});

test('without a base, relative links stay unchanged', () => {
  expect(htmlToMarkdown('<a href="a b">x</a> <a href=https://h.net>y</a>')).toBe('[x](a%20b) [y](https://h.net/)');
  expect(htmlToMarkdown('<a href="docs/a\nb\u2003c.html">x</a>')).toBe('[x](docs/ab%E2%80%83c.html)');
  expect(htmlToMarkdown('<a href=a>x</a>', { baseUrl: 'nonsense' })).toBe('[x](a)');
});

test('an aborted conversion stops', async () =>
  await expect(readHtml('a', {}, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough'));

const page = 'Words of the page. '.repeat(5);
table([
  ['the element main', `<nav>n</nav><main><h1>A</h1>${page}</main><footer>f</footer>`, `# A\n\n${page.trim()}`],
  ['the longest of several', `<main>a</main><div role=main>${page}</div>x`, page.trim()],
  ['main in the cell of a layout', `<table><tr><td>n<td><main>${page}</main></table>`, page.trim()],
  [
    'the only article, with its header',
    `<header>h</header><article><header>H</header>${page}</article>x`,
    `H\n\n${page.trim()}`,
  ],
  [
    'several articles, without what is around',
    `<nav>n</nav><article>${page}</article><article>b</article><aside>x</aside>`,
    `${page.trim()}\n\nb`,
  ],
  [
    'a page without them, but for its frame',
    `<header>h</header><p>${page}<div role=navigation>n</div>c`,
    `${page.trim()}\n\nc`,
  ],
  [
    'everything, where main has next to nothing',
    `<main>Loading</main><p>${page.repeat(3)}`,
    `Loading\n\n${page.repeat(3).trim()}`,
  ],
  ['everything, where there is only a frame', '<nav>a</nav>', 'a'],
])('only the main part of a page is kept', (_name, html, markdown) =>
  expect(htmlToMarkdown(html, { main: true })).toBe(markdown),
);

test('text nested deeper than browsers allow keeps its words', () => {
  for (const tag of [
    'div',
    'b',
    'ul><li',
    'blockquote',
    'table><tr><td',
    'table><tr><th',
    'a href=/x',
    'dl><dd',
    'pre',
    'svg',
  ]) {
    const markdown = htmlToMarkdown(`<${tag}>one `.repeat(3_000).replaceAll('<svg>one', '<svg>').concat('<p>two'));
    expect(markdown.match(/two/g)).toHaveLength(1);
    if (tag !== 'svg') expect(markdown.match(/one/g)).toHaveLength(3_000);
  }
});

test('a short page cannot produce a long text', () => {
  const base = `<base href="https://example.org/${'x'.repeat(1_900)}/">`;
  for (const html of [
    `${base}${'<a href=a>b</a> '.repeat(20_000)}`,
    `<table>${'<tr><td rowspan=9999 colspan=100>a'.repeat(5_000)}`,
    `${'<blockquote>'.repeat(400)}${'<p>a'.repeat(20_000)}`,
  ]) {
    expect(htmlToMarkdown(html).length).toBeLessThan(html.length * 25 + 200_000);
  }
});

const words = fc.stringMatching(/^[a-z]{1,8}$/);
const tags = fc.constantFrom(
  ...'p div b i code a ul ol li table tr td th thead h1 h2 pre blockquote dl dt dd br span section main nav select option hr q math'.split(
    ' ',
  ),
);
const pieces = fc.oneof(
  { weight: 3, arbitrary: words.map((word) => ` ${word} `) },
  tags.map((tag) => `<${tag}>`),
  tags.map((tag) => `</${tag}>`),
);

test('random nested tags keep every word, in order outside tables', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const html = parts.join('');
      const given = parts.filter((part) => !part.startsWith('<')).map((part) => part.trim());
      const found =
        htmlToMarkdown(html)
          .match(/[a-z]+/g)
          ?.filter((word) => word !== 'br' || given.includes(word)) ?? [];
      // Text of a table outside its cells is placed before the table, as in a browser.
      const ordered = (list: readonly string[]) => (html.includes('<table>') ? list.toSorted() : list);
      expect(ordered(found.filter((word) => given.includes(word)))).toEqual(ordered(given));
    }),
    { numRuns: 1_000 },
  );
});

test('any input gives text, and the same in steps', async () => {
  const soup = fc
    .array(fc.oneof(fc.constantFrom(...'<>/="\'&;!-[]` \n'), fc.string({ unit: 'binary' }), pieces))
    .map((list) => list.join(''));
  await fc.assert(
    fc.asyncProperty(soup, fc.boolean(), async (html, main) => {
      expect(await readHtml(html, { main })).toBe(htmlToMarkdown(html, { main }));
    }),
    { numRuns: 300 },
  );
});
