import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ToolError } from '../../core/error.js';
import { type ProgramFailure, pipeThrough } from '../../shell/run/pipe-through-program.js';
import type { ImageModel } from './model.js';

const name = 'The SVG renderer';
/** A normal drawing takes a second. A drawing that repeats an element a million times takes hours. */
const timeoutMs = 30_000;
const maxPixels = 4_096 * 4_096;
/** The size of an uncompressed image of `maxPixels`, with a margin. */
const maxBytes = 100_000_000;

/** The script of the child process: reads SVG from stdin, and writes an image to stdout. */
const renderer = `
import sharp from 'sharp';
const { size, format, limitInputPixels, timeoutMs } = JSON.parse(process.argv[1]);
// Ends the child even if the parent was killed.
setTimeout(() => process.kill(process.pid, 'SIGKILL'), timeoutMs).unref();
const parts = [];
for await (const part of process.stdin) parts.push(part);
const svg = Buffer.concat(parts);
let image = sharp(svg, { limitInputPixels });
if (size !== undefined) {
  const { width, height } = await image.metadata();
  const density = 72 * Math.min(size.width / width, size.height / height);
  image = sharp(svg, { density: Math.max(1, Math.min(density, 100000)), limitInputPixels });
  image = image.resize({ ...size, fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } });
}
if (format === 'jpeg') image = image.flatten({ background: 'white' });
process.stdout.write(await image.toFormat(format).toBuffer());
`;

/**
 * Creates images without a provider: the calling model writes SVG, and the optional package `sharp` renders it in a
 * child process. The child process has a time limit, because a few hundred characters can take hours to render. It
 * looks for the package from the folder of the script `host`, by default the main script of the process. Refuses SVG
 * with scripts or external references.
 */
export function svgImages(host = process.argv[1] ?? `${process.cwd()}/`): ImageModel {
  return {
    name,
    promptIs: 'A whole SVG document, with xmlns="http://www.w3.org/2000/svg" and without external references',
    async create({ prompt, size, n, format = 'png', references }, { signal }) {
      if (n > 1) throw new ToolError('invalid_input', `n: ${name} draws one image a call. Leave n out.`);
      if (references.length > 0)
        throw new ToolError('invalid_input', `reference_images: ${name} takes none. Leave them out.`);
      assertPlainSvg(prompt);
      const settings = JSON.stringify({ size, format, limitInputPixels: maxPixels, timeoutMs });
      const words = ['--input-type=module', '--eval', renderer, settings];
      const options = { signal, maxBytes, timeoutMs, cwd: folderOf(host) };
      try {
        return [await pipeThrough(process.execPath, words, prompt.trim(), options)];
      } catch (thrown) {
        throw failure(thrown);
      }
    },
  };
}

/** The folder of a script; the current folder if there is no script. */
function folderOf(host: string): string {
  if (!existsSync(host)) return process.cwd();
  const path = realpathSync(host);
  return statSync(path).isDirectory() ? path : dirname(path);
}

function failure(thrown: unknown): ToolError {
  if (ToolError.is(thrown)) return thrown;
  const { code, killed, stderr } = thrown as ProgramFailure;
  const late = `${name} did not finish within ${timeoutMs / 1_000} seconds. Draw something simpler.`;
  if (killed === true) return new ToolError('timeout', late);
  const said = String(stderr);
  if (/Cannot find package 'sharp'|Could not load the "sharp" module/.test(said))
    return new ToolError('not_configured', `${name} needs the package sharp. Ask the user to run: npm install sharp`);
  const what = /Error: (.*)/.exec(said)?.[1]?.slice(0, 300) ?? `it ended with ${code}`;
  return new ToolError('invalid_input', `prompt: the SVG could not be drawn: ${what}. Correct it and send it again.`);
}

/** Parts that an SVG must not contain. The renderer would silently omit most of these parts. */
const refused: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/<!(?:doctype|entity)/i, 'a document type or an entity'],
  [/<\?(?!xml\s)/i, 'a processing instruction'],
  [/<(?:\w+:)?(?:script|foreignObject|iframe|image|feImage|audio|video)\b/i, 'a script, an image or a foreign object'],
  [/\son\w+\s*=/i, 'an event handler'],
  [/href\s*=(?!\s*["']#)/i, 'a reference to something outside'],
  [/url\((?!\s*(?:["']|&quot;|&apos;)?#)/i, 'a reference to something outside'],
  [/@import/i, 'an import'],
];

/** Throws `invalid_input` for text that is not an SVG, and for an SVG that would load or run something. */
function assertPlainSvg(text: string): void {
  if (!/^\s*(?:<\?xml\s[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/.test(text) || !/<\/svg>\s*$/.test(text))
    throw mistake('expected a whole SVG document, from <svg to </svg>');
  const found = refused.find(([pattern]) => pattern.test(text));
  if (found !== undefined) throw mistake(`the SVG contains ${found[1]}. Remove it and draw everything inside the SVG`);
}

function mistake(what: string): ToolError {
  return new ToolError('invalid_input', `prompt: ${what}.`);
}
