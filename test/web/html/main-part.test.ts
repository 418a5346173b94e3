import { readFileSync } from 'node:fs';
import { htmlToMarkdown } from 'toolwright/web';
import { expect, test } from 'vitest';
import { eachRow, table } from '../../support/each-row.js';
import { visibleWords, wordsOf } from '../../support/visible-words.js';

const main = (html: string) => htmlToMarkdown(html, { main: true });
/** A text with the given number of characters and different sentences. */
const prose = (word: string, chars: number) =>
  Array.from({ length: Math.ceil(chars / (word.length + 12)) }, (_, index) => `<p>${word} sentence${index}.</p>`).join(
    '',
  );

table([
  [
    'one comment below',
    `<div><h1>T</h1>${prose('post', 1_600)}</div><ul><li><article class=comment>${prose('comment', 250)}</article></ul>`,
  ],
  ['a teaser in an article', `<div>${prose('post', 1_500)}</div><article>${prose('teaser', 400)}</article>`],
  ['a main that is one of several boxes', `<div>${prose('post', 900)}</div><main>${prose('box', 300)}</main>`],
  ['a main of a script, and text beside it', `<main><div id=app>Loading</div></main><div>${prose('post', 300)}</div>`],
  [
    'an article in an aside',
    `<aside><article>${prose('teaser', 2_000)}</article></aside><div>${prose('post', 800)}</div>`,
  ],
  [
    'an article in a footer',
    `<div>${prose('post', 500)}</div><footer><article>${prose('teaser', 900)}</article></footer>`,
  ],
  ['an article in the navigation', `<nav><article>${prose('teaser', 900)}</article></nav>${prose('post', 500)}`],
  ['an article in a dialog', `<dialog open><article>${prose('teaser', 900)}</article></dialog>${prose('post', 500)}`],
  ['an article that is a dialog', `<article role=dialog>${prose('teaser', 900)}</article>${prose('post', 500)}`],
  ['an article that is an aside', `<article role=complementary>${prose('teaser', 900)}</article>${prose('post', 500)}`],
  [
    'a small main, and the post in an article',
    `<main>${prose('box', 100)}</main><article>${prose('post', 2_000)}</article>`,
  ],
])('the post is shown if a page has %s', (_what, html) => {
  const shown = wordsOf(main(html)).filter((word) => word === 'post').length;
  expect(shown).toBe(wordsOf(html).filter((word) => word === 'post').length);
});

test('parts beside the main part, and asides, are omitted', () => {
  const html = `<nav>menu</nav><div>crumbs</div><main><article>${prose('post', 900)}</article></main><div>legal</div>`;
  expect(main(html)).not.toMatch(/menu|crumbs|legal/);
  expect(main(`<dialog open>cookies</dialog><div role=alertdialog>more</div>${prose('post', 300)}`)).not.toMatch(
    /cook|more/,
  );
});

test('forty small pages with asides keep their main text whole, without text of the asides', () => {
  const asides = [
    '<aside>ZZ</aside>',
    '<nav><ul><li>ZZ</ul></nav>',
    '<div role=complementary>ZZ</div>',
    '<dialog open>ZZ</dialog>',
    '<footer><article>ZZ</article></footer>',
  ];
  const bodies = [
    (text: string, aside: string) => `${aside}<main>${text}</main>`,
    (text: string, aside: string) => `<div>${text}</div>${aside}`,
    (text: string, aside: string) => `<article>${text}</article>${aside}`,
    (text: string, aside: string) => `<article>${text}</article>${aside}<article>More post here.</article>`,
    (text: string, aside: string) => `<section>${text}</section><section>More post here.</section>${aside}`,
    (text: string, aside: string) => `<table><tr><td>${aside}<td><div>${text}</div></table>`,
    (text: string, aside: string) => `${aside}<div><div>${text}</div><div>More post here.</div></div>${aside}`,
    (text: string, aside: string) => `<div>${text}</div><article class=comment>One post.</article>${aside}`,
  ];
  const text = '<h1>Small page</h1><p>It says <b>little</b>, and all of it counts.</p><ul><li>one<li>two</ul>';
  const pages = bodies.flatMap((body) => asides.map((aside) => body(text, aside)));
  expect(pages).toHaveLength(40);
  return eachRow(pages, (page) => {
    const words = wordsOf(main(page));
    expect(words.filter((word) => wordsOf(text.replace(/<[^>]*>/g, ' ')).includes(word)).length).toBeGreaterThanOrEqual(
      11,
    );
    expect(words).not.toContain('ZZ');
    if (page.includes('More post')) expect(words).toContain('More');
  });
});

const menu = '<ul><li><a href=/a>ZZmenu one</a><li><a href=/b>ZZmenu two</a></ul>';
const button = '<button>Copy</button>';
/** Pages in the layout of documentation generators. */
const layouts: Readonly<Record<string, (text: string) => string>> = {
  ajv: (text) =>
    `<div class=related role=navigation>${menu}</div><div class=document><div class=body role=main>${text}</div></div><div class=sphinxsidebar role=navigation>${menu}</div>`,
  openai: (text) =>
    `<header class=md-header><nav>${menu}</nav></header><main class=md-main><div><article class=md-content>${text}</article></div></main><footer>ZZfooter</footer>`,
  zod: (text) =>
    `<nav class=navbar>${menu}</nav><div><aside>${menu}</aside><main><div class=row><article><div class=markdown>${text}</div></article></div></main></div>`,
  picomatch: (text) =>
    `<div id=app><header>${menu}</header><aside class=VPSidebar>${menu}</aside><div class=VPContent><main class=main><div class=vp-doc>${text}</div></main><aside>${menu}</aside></div></div>`,
  re2js: (text) =>
    `<nav class=sidebar>${menu}</nav><main><div class=width-limiter><section id=main-content>${text}</section></div></main>`,
  ignore: (text) =>
    `<header role=banner><nav>${menu}</nav></header><div class=flex-content><main role=main>${text}</main></div>`,
  diff: (text) =>
    `<div id=top><div role=navigation>${menu}</div></div><div class=header>Reference</div><div class=contents><div class=textblock>${text}</div></div>`,
  parse5: (text) =>
    `<div class=file-box><h2>README.md</h2><article class="markdown-body">${text}</article></div><footer>${menu}</footer>`,
  sharp: (text) => `<div class=container><div class=col-content>${text}</div><nav class=site-menu>${menu}</nav></div>`,
  unpdf: (text) =>
    `<table class=head><tr><td>DIFF(1)<td>Manual<td>DIFF(1)</table><div class=manual-text>${text}</div><nav>${menu}</nav>`,
  'fast-check': (text) =>
    `<div class=content>${text}</div><ol><li><article class=comment><p>Thanks, this helped me.</p></article></ol><aside>${menu}</aside>`,
  'rate-limiter-flexible': (text) =>
    `<div class=bodywrap><main id=wrapper>Loading</main><div class=page>${text}</div><footer>${menu}</footer></div>`,
};

test('twelve pages of documentation keep their main text whole, without their menus', () => {
  const packages = Object.entries(layouts);
  expect(packages).toHaveLength(12);
  return eachRow(packages, ([name, layout]) => {
    const text = asHtml(readFileSync(`node_modules/${name}/README.md`, 'utf8'));
    const wanted = visibleWords(text.replaceAll(button, ''));
    expect(wanted.length).toBeGreaterThan(50);
    const shown = wordsOf(
      main(`<!doctype html><html><head><title>${name}</title></head><body>${layout(text)}</body></html>`),
    );
    expect(shown.filter((word) => word.startsWith('ZZ'))).toEqual([]);
    const start = shown.indexOf(wanted[0] ?? '');
    const counts = new Map<string, number>();
    for (const word of shown.slice(Math.max(0, start))) counts.set(word, (counts.get(word) ?? 0) + 1);
    const missing = wanted.filter((word) => {
      counts.set(word, (counts.get(word) ?? 0) - 1);
      return (counts.get(word) ?? 0) < 0;
    });
    expect(missing.join(' ')).toBe('');
  });
});

/** Headings, paragraphs, lists and code of a README as HTML of a generator. */
function asHtml(markdown: string): string {
  const escaped = markdown.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  return escaped
    .split(/^(```[\s\S]*?^```$)/m)
    .map((part) =>
      part.startsWith('```')
        ? `<div class=highlight><pre><code>${part.replace(/^```.*\n?|```$/g, '')}</code></pre>${button}</div>`
        : part
            .split(/\n{2,}/)
            .map((block) => {
              const heading = /^(#{1,6})\s+(.*)/.exec(block);
              if (heading !== null)
                return `<h${heading[1]?.length}>${heading[2]}</h${heading[1]?.length}>${block.slice(heading[0].length)}`;
              if (/^\s*[-*]\s/.test(block)) return `<ul>${block.replace(/^\s*[-*]\s+/gm, '<li>')}</ul>`;
              return `<p>${block}</p>`;
            })
            .join('\n'),
    )
    .join('\n');
}
