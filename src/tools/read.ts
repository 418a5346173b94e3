import * as z from 'zod/v4';
import { ToolError } from '../core/error.js';
import type { Limits } from '../core/limits.js';
import { Tool, type ToolResult } from '../core/tool.js';
import { pathFacts } from '../files/path-facts.js';
import { TextReader } from '../files/text-reader.js';
import type { FileSystem } from '../host/file-system.js';
import type { ReadLedger } from '../state/read-ledger.js';

const input = z.object({
  file_path: z.string().min(1).describe('Absolute path'),
  offset: z.number().int().min(1).optional().describe('First line, from 1'),
  limit: z.number().int().min(1).optional().describe('Number of lines'),
  pages: z.string().optional().describe('PDF pages such as "1-5", at most 20'),
  column: z.number().int().min(1).optional().describe('First character within line offset, from 1'),
});

const noticeChars = 1_000;

/** What Read can reach. */
export interface ReadDependencies {
  readonly files: FileSystem;
  readonly ledger: ReadLedger;
  readonly limits: Limits['read'];
}

/** Shows a part of a file with line numbers. */
export function readTool({ files, ledger, limits }: ReadDependencies): Tool<z.output<typeof input>> {
  const facts = pathFacts(files);
  const text = new TextReader(limits);
  return Tool.define('Read', {
    description: 'Read a file as numbered lines. Long files come in pages; the notice at the end names the offset to read on.',
    input,
    sideEffect: 'none',
    groups: ['fs'],
    // The page keeps to the limit; the notices after it need some room.
    maxOutputChars: limits.maxChars + noticeChars,
    title: ({ file_path }) => `Read ${facts.display(file_path)}`,
    targets: ({ file_path }) => facts.reads(file_path),
    footprint: ({ file_path }) => facts.readFootprint(file_path),
    async execute({ file_path, offset, limit, pages, column }, context): Promise<ToolResult> {
      if (pages !== undefined) throw new ToolError('invalid_input', 'pages is for PDF documents; use offset and limit for text.');
      const file = await files.open(file_path, context);
      try {
        const page = await text.read(file, { line: offset ?? 1, column: column ?? 1, maxLines: limit ?? limits.maxLines }, context.signal);
        ledger.note(context.caller, { path: file.stat.path, version: file.stat.version, hash: page.hash });
        return { output: page.output, title: `Read ${facts.display(file_path)}`, metadata: page.metadata };
      } finally {
        await file.close();
      }
    },
  });
}
