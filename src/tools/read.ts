import * as z from 'zod/v4';
import type { Limits } from '../core/limits.js';
import { Tool, type ToolResult } from '../core/tool.js';
import { FileReader } from '../files/file-reader.js';
import { pathFacts } from '../files/path-facts.js';
import { pdfDocuments } from '../files/pdf-documents.js';
import { sharpImages } from '../files/sharp-images.js';
import type { DocumentReader } from '../host/documents.js';
import type { FileSystem } from '../host/file-system.js';
import type { ImageResizer } from '../host/images.js';
import type { ReadLedger } from '../state/read-ledger.js';
import type { Scrub } from '../text/scrub-part.js';

// Made when the tool is: schemas are the larger part of what an import would cost.
const input = () =>
  z.object({
    file_path: z.string().min(1).describe('Absolute path'),
    offset: z.number().int().min(1).optional().describe('First line, from 1'),
    limit: z.number().int().min(1).optional().describe('Number of lines'),
    pages: z.string().optional().describe('PDF pages such as "1-5", at most 20'),
    column: z.number().int().min(1).optional().describe('First character within line offset, from 1'),
  });

/** What Read can reach. */
export interface ReadDependencies {
  readonly files: FileSystem;
  readonly ledger: ReadLedger;
  readonly limits: Limits['read'];
  /** Default: PDF by the optional package `unpdf`. */
  readonly documents?: DocumentReader | undefined;
  /** Makes images small enough for a model. Default: the optional package `sharp`; without it those that are too large are refused. */
  readonly images?: ImageResizer | undefined;
  /** Answer a repeated read of the same part of an unchanged file by naming the call that showed it. Default false. */
  readonly namesUnchanged?: boolean | undefined;
  /** Keeps credentials from being shown in part where a line is cut or read from a column on. Default: lines are cut as they are. */
  readonly scrub?: Scrub | undefined;
}

// The page keeps to the limit; the notices after it need some room.
const noticeChars = 1_000;

/** Shows a part of a file with line numbers. */
export function readTool(dependencies: ReadDependencies): Tool<z.output<ReturnType<typeof input>>> {
  const {
    files,
    ledger,
    limits,
    documents = pdfDocuments(),
    images = sharpImages(undefined, limits),
    namesUnchanged = false,
    scrub,
  } = dependencies;
  const facts = pathFacts(files);
  const reader = new FileReader({ limits, documents, images, scrub });
  return Tool.define('Read', {
    description:
      'Read a file: text as numbered lines, notebooks, images, PDF. Long files come in pages; the notice at the end names the offset to read on.',
    input: input(),
    sideEffect: 'none',
    groups: ['fs'],
    maxOutputChars: limits.maxChars + noticeChars,
    title: ({ file_path }) => `Read ${facts.display(file_path)}`,
    targets: ({ file_path }) => facts.reads(file_path),
    footprint: ({ file_path }) => facts.readFootprint(file_path),
    async execute({ file_path, offset, limit, pages, column }, context): Promise<ToolResult> {
      const file = await files.open(file_path, context);
      try {
        const { path, version } = file.stat;
        const request = { line: offset ?? 1, column: column ?? 1, maxLines: limit ?? limits.maxLines, pages };
        const { result, hash } = await reader.read(file, request, context);
        const shown = { path, version, hash, part: JSON.stringify(request), callId: context.callId };
        const earlier = namesUnchanged ? ledger.shownBefore(context.caller, shown) : undefined;
        if (earlier === undefined) ledger.note(context.caller, shown);
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
