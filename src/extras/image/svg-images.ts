import { type ExecFileException, execFile } from 'node:child_process';
import { ToolError } from '../../core/error.js';
import { ChildEnvironments } from '../../shell/processes/child-environment.js';
import type { ImageModel, ImageRequest } from './image-model.js';
import { assertPlainSvg } from './plain-svg.js';

const name = 'The SVG renderer';
/** A drawing that repeats itself a million times over takes hours; one that somebody means takes a second. */
const timeoutMs = 30_000;
const maxPixels = 4_096 * 4_096;
/** A picture of so many pixels that no compression shrinks. */
const maxBytes = 100_000_000;
const environments = new ChildEnvironments();

/** What the child runs. A drawing comes in by its standard input, and the image goes out by its standard output. */
const renderer = `
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
const { host, size, format, limitInputPixels } = JSON.parse(process.argv[1]);
const sharp = createRequire(realpathSync(host) + (host.endsWith('/') ? '/' : ''))('sharp');
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
 * Images without a provider: the model that calls writes SVG, which the optional package `sharp` draws, in a process of
 * its own that ends with the call; it is looked for beside `host`, the script of this program. What refers to anything
 * outside itself, or holds a script, is refused.
 */
export function svgImages(host = process.argv[1] ?? `${process.cwd()}/`): ImageModel {
  return {
    name,
    promptIs: 'A whole SVG document, with xmlns="http://www.w3.org/2000/svg", that refers to nothing outside itself',
    async create({ prompt, size, n, format = 'png', references }, { signal }) {
      if (n > 1) throw new ToolError('invalid_input', `n: ${name} draws one image a call. Leave n out.`);
      if (references.length > 0)
        throw new ToolError('invalid_input', `reference_images: ${name} takes none. Leave them out.`);
      assertPlainSvg(prompt);
      return [await drawn(prompt.trim(), { size, format, host }, signal)];
    },
  };
}

/** How a drawing becomes an image, and the program whose package draws it: the renderer itself stands in no folder. */
type Drawing = Pick<ImageRequest, 'size' | 'format'> & { readonly host: string };

function drawn(svg: string, how: Drawing, signal: AbortSignal): Promise<Uint8Array> {
  const settings = JSON.stringify({ ...how, limitInputPixels: maxPixels });
  const words = ['--input-type=module', '--eval', renderer, settings];
  const { env } = environments.make(process.env);
  const options = {
    env,
    signal,
    encoding: 'buffer',
    maxBuffer: maxBytes,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    windowsHide: true,
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, words, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(failure(error, stderr.toString()));
    });
    // A program that ends at once does not read.
    child.stdin?.on('error', () => {});
    child.stdin?.end(svg);
  });
}

function failure(error: ExecFileException, said: string): ToolError {
  if (error.name === 'AbortError') return new ToolError('interrupted', 'Drawing was interrupted.');
  if (error.killed === true)
    return new ToolError(
      'timeout',
      `${name} was not done within ${timeoutMs / 1_000} seconds. Draw something simpler.`,
    );
  if (/Cannot find module 'sharp'|Could not load the "sharp" module/.test(said))
    return new ToolError('not_configured', `${name} needs the package sharp. Ask the user to run: npm install sharp`);
  const what = /Error: (.*)/.exec(said)?.[1]?.slice(0, 300) ?? `it ended with ${error.code}`;
  return new ToolError('invalid_input', `prompt: the SVG could not be drawn: ${what}. Write it anew.`);
}
