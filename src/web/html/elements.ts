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
  raised: 'sup sub mfrac msqrt mroot msup msub msubsup mover munder munderover semantics mfenced mmultiscripts',
  math: 'mi mn mo ms mtext mspace mrow mstyle merror mpadded mphantom menclose maction mtable mtr mtd annotation',
  button: 'button',
  hidden: 'script style template noscript noframes noembed iframe datalist title',
  nothing: 'html head body area basefont bgsound col colgroup embed frameset keygen link param source track wbr',
} as const;

/** The effect of an element on its text; elements that are not listed are `inline`. */
export type ElementKind = keyof typeof namesOf | 'inline';

const kinds = new Map<string, ElementKind>();
for (const [kind, names] of Object.entries(namesOf))
  for (const name of names.split(' ')) kinds.set(name, kind as ElementKind);

export function elementKind(name: string): ElementKind {
  return kinds.get(name) ?? 'inline';
}

/** The kinds of void elements, which have no content and no end tag. */
export const voidKinds = new Set<ElementKind>(['rule', 'break', 'image', 'input', 'base', 'refresh', 'frame']);

/** A table that has no header cells and contains an element of these kinds is treated as a layout table. */
export const layoutKinds = new Set<ElementKind>(['heading', 'list', 'quote', 'pre', 'table']);

/** Parts of a page that have headers and footers of their own. */
export const sections: ReadonlySet<string> = new Set(['main', 'article', 'section']);

/** Elements that browsers reopen after a misnested end tag. */
export const formatting = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '));

/** Tokenizer states of elements whose content contains no tags. */
export const rawTexts = new Map<string, 'RCDATA' | 'RAWTEXT' | 'SCRIPT_DATA' | 'PLAINTEXT'>([
  ['title', 'RCDATA'],
  ['textarea', 'RCDATA'],
  ['script', 'SCRIPT_DATA'],
  ['plaintext', 'PLAINTEXT'],
  ...['style', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript'].map((name) => [name, 'RAWTEXT'] as const),
]);

/** The value of an attribute; an empty string if the tag has no such attribute. */
export function attribute({ attrs }: Token.TagToken, name: string): string {
  for (const attr of attrs) if (attr.name === name) return attr.value;
  return '';
}

const hidingStyle = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i;

export function hasAttribute({ attrs }: Token.TagToken, name: string): boolean {
  return attrs.some((attr) => attr.name === name);
}

/** Whether browsers never show the element of a tag. A template that is a shadow root (`shadowrootmode`) is shown. */
export function isNeverShown(tag: Token.TagToken): boolean {
  const isShadow = tag.tagName === 'template' && hasAttribute(tag, 'shadowrootmode');
  return (elementKind(tag.tagName) === 'hidden' && !isShadow) || tag.tagName === 'svg';
}

/** Whether a tag directly follows a formula, and whether it is inside code. */
interface Place {
  readonly isAfterMath: boolean;
  readonly isInCode: boolean;
}

/** Whether the tag hides its element, or the element should be left out at this position. */
export function isHidden(tag: Token.TagToken, { isAfterMath, isInCode }: Place): boolean {
  const { tagName, attrs } = tag;
  if (tagName === 'dialog' && !hasAttribute(tag, 'open')) return true;
  if (tagName === 'annotation' && !/\b(?:la)?tex$/i.test(attribute(tag, 'encoding'))) return true;
  if (isInCode && (tagName === 'button' || attribute(tag, 'role') === 'button')) return true;
  for (const { name, value } of attrs) {
    if (name === 'hidden' && !/^until-found$/i.test(value)) return true;
    if (name === 'style' && hidingStyle.test(value)) return true;
    // Browsers show aria-hidden text. Only icon-font names and the second rendering of a formula are left out.
    if (name === 'aria-hidden' && /^true$/i.test(value) && (tagName === 'i' || isAfterMath)) return true;
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

/** The programming language in a class of the tag, as highlighters write it. */
export function languageOf(tag: Token.TagToken): string | undefined {
  const name = language.exec(attribute(tag, 'class'))?.[1];
  return noLanguages.has(name) ? undefined : name;
}

/** The target URL of a meta refresh tag; an empty string for any other tag. */
export function refreshOf(tag: Token.TagToken): string {
  if (attribute(tag, 'http-equiv').toLowerCase() !== 'refresh') return '';
  return /^\s*[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']*)/i.exec(attribute(tag, 'content'))?.[1] ?? '';
}

/** The integer from 0 to 999,999 in an attribute; undefined for anything else. */
export function numberOf(tag: Token.TagToken, name: string): number | undefined {
  const number = Number.parseInt(attribute(tag, name), 10);
  return number >= 0 && number < 1_000_000 ? number : undefined;
}
