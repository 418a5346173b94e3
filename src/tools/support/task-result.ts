import { shellNumbers } from '../../core/numbers.js';
import type { ReadProcess } from '../../core/registry/toolkit-processes.js';
import { cutMiddle } from '../../core/text/cut-text.js';
import type { ToolResult } from '../../core/tool.js';

/** The text for the model about a background task: its state, its new output, and how it ended. */
export function taskResult(view: ReadProcess, maxChars: number): ToolResult {
  const { taskId, state, exitCode, signal, outputFile } = view;
  return {
    output: `Status: ${state}\n${bounded(view, maxChars)}${ending(view)}`,
    metadata: {
      taskId,
      state,
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(signal === undefined ? {} : { signal }),
      ...(outputFile === undefined ? {} : { outputFile }),
    },
  };
}

function bounded({ output, state }: ReadProcess, maxChars: number): string {
  if (output === '') return state === 'running' ? '(no new output yet)' : '(no new output)';
  const cut =
    output.length > maxChars
      ? cutMiddle(output, Math.floor(maxChars - Math.min(shellNumbers.statusChars, maxChars / 2)))
      : undefined;
  return cut === undefined ? output : `${cut.head}\n[${cut.omitted} characters omitted]\n${cut.tail}`;
}

function ending({ output, exitCode, signal }: ReadProcess): string {
  const border = output.endsWith('\n') ? '' : '\n';
  if (signal !== undefined) return `${border}Killed by signal ${signal}`;
  return exitCode === undefined || exitCode === 0 ? '' : `${border}Exit code: ${exitCode}`;
}
