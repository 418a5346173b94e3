import { ToolError } from '../../core/error.js';

/** What a drawing may not hold, and what it is. The renderer would leave most of it out without a word. */
const refused: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/<!(?:doctype|entity)/i, 'a document type or an entity'],
  [/<\?(?!xml\s)/i, 'a processing instruction'],
  [/<(?:\w+:)?(?:script|foreignObject|iframe|image|feImage|audio|video)\b/i, 'a script, an image or a foreign object'],
  [/\son\w+\s*=/i, 'an event handler'],
  [/href\s*=(?!\s*["']#)/i, 'a reference to something outside'],
  [/url\((?!\s*(?:["']|&quot;|&apos;)?#)/i, 'a reference to something outside'],
  [/@import/i, 'an import'],
];

/** Throws `invalid_input` for what is no SVG, and for one that would load or run something. */
export function assertPlainSvg(text: string): void {
  if (!/^\s*(?:<\?xml\s[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/.test(text) || !/<\/svg>\s*$/.test(text))
    throw mistake('expected a whole SVG document, from <svg to </svg>');
  const found = refused.find(([pattern]) => pattern.test(text));
  if (found !== undefined) throw mistake(`the SVG holds ${found[1]}. Draw everything in it, without that`);
}

function mistake(what: string): ToolError {
  return new ToolError('invalid_input', `prompt: ${what}.`);
}
