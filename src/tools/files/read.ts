import type { output } from 'zod/v4/core';
import type { Limits } from '../../core/limits.js';
import { inputObject, integer, optional, text } from '../../core/schema/fields.js';
import { once } from '../../core/support/once.js';
import type { Scrub } from '../../core/text/scrub-excerpt.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import { pdfDocuments } from '../../files/media/pdf-documents.js';
import { sharpImages } from '../../files/media/sharp-images.js';
import type { DocumentReader } from '../../ports/document-reader.js';
import type { FileSystem } from '../../ports/file-system.js';
import type { ImageResizer } from '../../ports/image-resizer.js';
import { scrubCredentials } from '../../secrets/scrubber.js';
import type { ReadLedger } from '../../sessions/read-ledger.js';
import { dependenciesOf } from '../support/factory-arguments.js';
import { pathFacts } from './path-facts.js';

const inputOf = ({ maxPdfPages }: Limits['read']) =>
  inputObject({
    file_path: text('Absolute path', { minLength: 1 }),
    offset: optional(integer('First line, from 1', { minimum: 1 })),
    limit: optional(integer('Number of lines', { minimum: 1 })),
    pages: optional(text(`PDF pages such as "1-5", at most ${maxPdfPages}`)),
    column: optional(integer('First character of the first line, from 1', { minimum: 1 })),
  });

/** The dependencies of Read. */
export interface ReadDependencies {
  readonly files: FileSystem;
  readonly ledger: ReadLedger;
  readonly limits: Limits['read'];
  /** Default: PDF, read by the optional package `unpdf`. */
  readonly documents?: DocumentReader | undefined;
  /** Default: the optional package `sharp`; without it an image that is too large for a model is refused. */
  readonly images?: ImageResizer | undefined;
  /** Whether a repeated read of an unchanged part only names the call that showed it. Default false. */
  readonly namesUnchanged?: boolean | undefined;
  /**
   * Scrubs the edges of a shown part, where a credential may be cut; `false` for no scrubbing. Default:
   * `scrubCredentials`.
   */
  readonly scrub?: Scrub | false | undefined;
}

// Room for the notices after a page of full length.
const noticeChars = 1_000;

/** Shows a part of a file with line numbers. */
export function readTool(dependencies: ReadDependencies): Tool<output<ReturnType<typeof inputOf>>> {
  const {
    files,
    ledger,
    limits,
    documents = pdfDocuments(),
    images = sharpImages(undefined, limits),
    namesUnchanged = false,
    scrub = scrubCredentials,
  } = dependenciesOf('readTool', dependencies, 'files', 'ledger', 'limits');
  const facts = pathFacts(files);
  const reader = once(async () => {
    const { fileReader } = await import('../../files/read/file-reader.js');
    return fileReader({ limits, documents, images, scrub: scrub === false ? undefined : scrub });
  });
  return Tool.define('Read', {
    description:
      'Read a file: text as numbered lines, notebooks, images, PDF. Long files come in pages; the notice at the ' +
      'end names the offset to read on.',
    input: inputOf(limits),
    sideEffect: 'none',
    maxOutputChars: limits.maxChars + noticeChars,
    title: ({ file_path }) => `Read ${facts.display(file_path)}`,
    targets: ({ file_path }) => facts.reads(file_path),
    footprint: ({ file_path }) => facts.readFootprint(file_path),
    async execute({ file_path, offset, limit, pages, column }, context): Promise<ToolResult> {
      const file = await files.open(file_path, context);
      try {
        const { path, version } = file.stat;
        const request = { line: offset ?? 1, column: column ?? 1, maxLines: limit ?? limits.maxLines, pages };
        const { result, hash, isPastEnd = false } = await (await reader())(file, request, context);
        const shown = { path, version, hash, part: JSON.stringify(request), callId: context.callId };
        const earlier = namesUnchanged ? ledger.shownBefore(context.caller, shown) : undefined;
        // A page after the end of the file shows nothing, so the file does not count as read.
        if (earlier === undefined && !isPastEnd) ledger.note(context.caller, shown);
        const title = `Read ${facts.display(path)}`;
        if (earlier === undefined) return { ...result, title };
        return {
          output: `[Unchanged since call ${earlier}, which showed the same part]`,
          title,
          metadata: { filePath: path, unchangedSince: earlier },
        };
      } finally {
        await file.close();
      }
    },
  });
}
