import type { ToolContext } from '../../core/context.js';
import { outputNumbers } from '../../core/numbers.js';
import type { ToolMetadata } from '../../core/tool.js';
import type { ShellRequest } from '../../ports/shell.js';
import { headOf } from '../../shell/output/cut-text.js';

/** The `metadata` of each `tool-progress` event of a command in the foreground. */
export interface BashProgress extends ToolMetadata {
  /**
   * The new complete lines, scrubbed; may be empty. Joined, the chunks are the output that the result shows, unless
   * that is cut.
   */
  readonly chunk: string;
  /** The position of the chunk, in characters of all chunks before it. */
  readonly offset: number;
  /** The end of the output so far, with an unfinished line, at most `limits.bash.maxProgressChars`. */
  readonly tail: string;
}

/**
 * Sends the output of a command as it arrives. For a shell that only reports tails, `sendWhole` sends the whole output
 * at the end.
 */
export function bashProgress(context: ToolContext, maxTailChars: number) {
  let offset = 0;
  let isChunked = context.hasListener === false;
  const onOutput = (tail: string, chunk?: string) => {
    isChunked ||= chunk !== undefined;
    let rest = chunk ?? '';
    do {
      const progress = { chunk: headOf(rest, outputNumbers.maxChunkChars), offset, tail } satisfies BashProgress;
      context.metadata({ metadata: progress });
      offset += progress.chunk.length;
      rest = rest.slice(progress.chunk.length);
    } while (rest !== '');
  };
  return {
    listening: { onOutput, wantsChunks: !isChunked } satisfies Partial<ShellRequest>,
    sendWhole: (output: string) => {
      if (!isChunked && output !== '') onOutput(output.slice(-maxTailChars), output);
    },
  };
}
