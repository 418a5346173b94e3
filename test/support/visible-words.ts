import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse } from 'parse5';

type Node = DefaultTreeAdapterMap['node'];

const unseen = new Set(
  'script style template noscript noframes noembed iframe svg title datalist head dialog'.split(' '),
);

/** The visible words of a page, by the HTML tree of the standard. */
export function visibleWords(html: string): string[] {
  const texts: string[] = [];
  const walk = (node: Node): void => {
    if (defaultTreeAdapter.isTextNode(node)) texts.push(node.value);
    if (defaultTreeAdapter.isElementNode(node) && (unseen.has(node.tagName) || node.attrs.some(hides))) return;
    if ('childNodes' in node) for (const child of node.childNodes) walk(child);
    if (defaultTreeAdapter.isElementNode(node) && !inline.has(node.tagName)) texts.push(' ');
  };
  walk(parse(html));
  return wordsOf(texts.join(''));
}

/** A sequence of letters and digits. */
export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

const inline = new Set('a b big code em font i kbd mark s small span strong tt u var abbr cite dfn samp'.split(' '));

function hides({ name, value }: { readonly name: string; readonly value: string }): boolean {
  if (name === 'aria-hidden') return value === 'true';
  return name === 'hidden' || (name === 'style' && /display:\s*none|visibility:\s*hidden/.test(value));
}
