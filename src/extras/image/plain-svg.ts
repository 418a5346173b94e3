import { ToolError } from '../../core/error.js';

/** What an SVG may not contain. The renderer would silently omit most of it. */
const refused: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/<!(?:doctype|entity)/i, 'a document type or an entity'],
  [/<\?(?!xml\s)/i, 'a processing instruction'],
  [/<(?:\w+:)?(?:script|foreignObject|iframe|image|feImage|audio|video)\b/i, 'a script, an image or a foreign object'],
  [/\son\w+\s*=/i, 'an event handler'],
  [/href\s*=(?!\s*["']#)/i, 'a reference to something outside'],
  [/url\((?!\s*(?:["']|&quot;|&apos;)?#)/i, 'a reference to something outside'],
  [/@import/i, 'an import'],
];

/** Throws `invalid_input` for a text that is no SVG, and for an SVG that would load or run something. */
export function assertPlainSvg(text: string): void {
  if (!/^\s*(?:<\?xml\s[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/.test(text) || !/<\/svg>\s*$/.test(text))
    throw mistake('expected a whole SVG document, from <svg to </svg>');
  const found = refused.find(([pattern]) => pattern.test(text));
  if (found !== undefined) throw mistake(`the SVG contains ${found[1]}. Draw everything inside the SVG, without that`);
}

function mistake(what: string): ToolError {
  return new ToolError('invalid_input', `prompt: ${what}.`);
}
