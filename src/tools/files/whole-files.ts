import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { sniffMediaType } from '../../core/media/sniff.js';
import type { FileContent } from '../../core/registry/toolkit.js';
import { inputObject, text } from '../../core/schema/fields.js';
import { formatSize } from '../../core/text/lines-and-sizes.js';
import { Tool } from '../../core/tool.js';
import { fileText } from '../../editing/encodings/detect.js';
import { readWhole } from '../../files/disk/open-file.js';
import type { FileSystem } from '../../ports/file-system.js';
import { pathFacts } from './path-facts.js';

/** Glob and Read for `toolkit.files`, without pages. Their usual names make rules, hooks and policies apply. */
export function wholeFilesTools(files: FileSystem, limits: Pick<Limits, 'glob' | 'read'>) {
  const facts = pathFacts(files);
  const { maxListed } = limits.glob;
  const glob = Tool.define('Glob', {
    description: 'List the files of a folder.',
    input: inputObject({ pattern: text('Glob'), path: text('Absolute folder') }),
    sideEffect: 'none',
    maxOutputChars: Number.POSITIVE_INFINITY,
    targets: ({ path }) => facts.reads(path),
    async execute({ pattern, path }, context) {
      const { paths } = await files.glob({ pattern, path, maxFiles: maxListed, limits: limits.glob }, context);
      return JSON.stringify(paths);
    },
  });
  const read = Tool.define('Read', {
    description: 'Read a whole file.',
    input: inputObject({ file_path: text('Absolute path') }),
    sideEffect: 'none',
    maxOutputChars: Number.POSITIVE_INFINITY,
    title: ({ file_path }) => `Read ${facts.display(file_path)}`,
    targets: ({ file_path }) => facts.reads(file_path),
    footprint: ({ file_path }) => facts.readFootprint(file_path),
    async execute({ file_path }, context) {
      const file = await files.open(file_path, context);
      try {
        const { path, size } = file.stat;
        if (size > limits.read.maxWholeBytes) throw tooLarge(path, size);
        const { text: output = '', ...content } = contentOf(await readWhole(file));
        const attachments = content.data === undefined ? [] : [{ mediaType: content.mediaType, data: content.data }];
        return { output, metadata: { mediaType: content.mediaType }, attachments };
      } finally {
        await file.close();
      }
    },
  });
  return { glob: glob as Tool, read: read as Tool };
}

function contentOf(bytes: Buffer): FileContent {
  const text = fileText(bytes);
  if (text !== undefined) return { mediaType: 'text/plain', text };
  return { mediaType: sniffMediaType(bytes)?.type ?? 'application/octet-stream', data: bytes.toString('base64') };
}

function tooLarge(path: string, size: number): ToolError {
  return new ToolError(
    'file_too_large',
    `The file is too large to be given whole (${formatSize(size)}): ${path}. Read it page by page with the tool Read.`,
  );
}
