import type { Token } from 'parse5';

const namesOf = {
  block:
    'address center details div fieldset figcaption figure form hgroup legend search select option optgroup object ' +
    'marquee applet textarea plaintext dl caption summary dialog main article section nav aside header footer',
  paragraph: 'p',
  heading: 'h1 h2 h3 h4 h5 h6',
  quote: 'blockquote',
  list: 'ul ol menu dir',
  item: 'li',
  term: 'dt',
  definition: 'dd',
  pre: 'pre listing xmp',
  rule: 'hr',
  table: 'table',
  rows: 'thead tbody tfoot',
  row: 'tr',
  cell: 'td th',
  link: 'a',
  strong: 'b strong',
  emphasis: 'i em cite var',
  strike: 's del strike',
  code: 'code kbd samp tt',
  foreign: 'svg math',
  break: 'br',
  image: 'img image',
  input: 'input',
  base: 'base',
  refresh: 'meta',
  frame: 'frame',
  raised: 'sup sub mfrac msqrt mroot msup msub msubsup mover munder munderover semantics',
  math:
    'mi mn mo ms mtext mspace mrow mstyle merror mpadded mphantom menclose maction mfenced mtable mtr mtd ' +
    'mmultiscripts annotation',
  button: 'button',
  hidden: 'script style template noscript noframes noembed iframe datalist title',
  nothing: 'html head body area basefont bgsound col colgroup embed frameset keygen link param source track wbr',
} as const;

/** What an element does to the text in it; every element that is not listed is `inline` and does nothing. */
export type ElementKind = keyof typeof namesOf | 'inline';

const kinds = new Map<string, ElementKind>();
for (const [kind, names] of Object.entries(namesOf))
  for (const name of names.split(' ')) kinds.set(name, kind as ElementKind);

/** The kind of the element of this name. */
export function kindOf(name: string): ElementKind {
  return kinds.get(name) ?? 'inline';
}

/** How the text of an element is read in which tags are no tags. */
export const rawTexts = new Map<string, 'RCDATA' | 'RAWTEXT' | 'SCRIPT_DATA' | 'PLAINTEXT'>([
  ['title', 'RCDATA'],
  ['textarea', 'RCDATA'],
  ['script', 'SCRIPT_DATA'],
  ['plaintext', 'PLAINTEXT'],
  ...['style', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript'].map((name) => [name, 'RAWTEXT'] as const),
]);

/** The value of an attribute of a tag; '' when it has none of this name. */
export function attribute({ attrs }: Token.TagToken, name: string): string {
  for (const attr of attrs) if (attr.name === name) return attr.value;
  return '';
}

const hidingStyle = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i;

/** Has the tag an attribute of this name? */
export function hasAttribute({ attrs }: Token.TagToken, name: string): boolean {
  return attrs.some((attr) => attr.name === name);
}

/** Is the element hidden from screen readers? */
export function isAriaHidden(tag: Token.TagToken): boolean {
  return /^true$/i.test(attribute(tag, 'aria-hidden'));
}

/** Does the tag itself say that nobody sees its element? */
export function isHidden(tag: Token.TagToken): boolean {
  const { tagName, attrs } = tag;
  if (tagName === 'dialog') return !hasAttribute(tag, 'open');
  // What its name hides, but for a template that is the shadow root of its parent, and the TeX of a formula.
  if (kindOf(tagName) === 'hidden' && !(tagName === 'template' && hasAttribute(tag, 'shadowrootmode'))) return true;
  if (tagName === 'annotation' && !/tex/i.test(attribute(tag, 'encoding'))) return true;
  // The text for an icon font is the name of a picture. Other text that is hidden from screen readers is seen.
  if (tagName === 'i' && isAriaHidden(tag)) return true;
  for (const { name, value } of attrs) {
    if (name === 'hidden' && !/^until-found$/i.test(value)) return true;
    if (name === 'style' && hidingStyle.test(value)) return true;
  }
  return false;
}

const language = /(?:^|\s)(?:(?:language|highlight(?:-source)?|mw-highlight-lang)-|sourceCode )([\w+#.-]{1,40})/;
const noLanguages: ReadonlySet<string | undefined> = new Set([
  'default',
  'none',
  'auto',
  'text',
  'plaintext',
  'source',
]);

/** The programming language that a class of the tag names, as highlighters write it. */
export function languageOf(tag: Token.TagToken): string | undefined {
  const name = language.exec(attribute(tag, 'class'))?.[1];
  return noLanguages.has(name) ? undefined : name;
}

/** A whole number from 0 up in an attribute; undefined for anything else. */
export function numberOf(tag: Token.TagToken, name: string): number | undefined {
  const number = Number.parseInt(attribute(tag, name), 10);
  return number >= 0 && number < 1_000_000 ? number : undefined;
}
