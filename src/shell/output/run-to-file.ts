import { closeSync, writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { terminalText } from '../../core/text/terminal.js';
import type { OutputReader, Shell, ShellOutcome, ShellOutput, ShellRequest } from '../../ports/shell.js';
import type { OutputFolder } from './folder.js';
import { cutOutput, noScrubber, type OutputScrubber, resultView } from './view.js';

export interface OutputToFileOptions {
  readonly folder: Pick<OutputFolder, 'create'>;
  readonly limits: Pick<Limits, 'output'>;
  /** Applied to all text that is read. Default: none. */
  readonly scrubber?: OutputScrubber | undefined;
}

/**
 * Runs a command on any shell. If the shell does not call `onStart` immediately, it has no output file of its own: the
 * output is then written to a new file in `options.folder` when the command has ended.
 */
export async function runToFile(
  shell: Shell,
  request: ShellRequest,
  scope: CallScope,
  { folder, limits, scrubber = noScrubber }: OutputToFileOptions,
): Promise<ShellOutcome> {
  let isNamed = false;
  const onStart = (output: ShellOutput) => {
    if (!isNamed) request.onStart?.(output);
    isNamed = true;
  };
  const running = Promise.resolve(shell.run({ ...request, onStart }, scope));
  // A shell that cannot run the command rejects here, before a file is created.
  await Promise.race([running, nextTurn()]);
  const file = isNamed ? undefined : createdIn(folder);
  if (file === undefined) return await running;
  let shown = '';
  onStart({ outputFile: file.path, open: () => readerOf(() => shown) });
  const text = await running.then(
    ({ output }) => output,
    (thrown: unknown) => ToolError.from(thrown).partialOutput ?? '',
  );
  keep(text, file);
  const view = resultView(limits.output, scrubber);
  shown = cutOutput(scrubber.text(terminalText(text)), view, { path: file.path, lostBytes: 0 });
  return await running;
}

type CreatedFile = ReturnType<OutputFolder['create']>;

/** Creates the file. Undefined after an error: the command is already running and continues without an output file. */
function createdIn(folder: OutputToFileOptions['folder']): CreatedFile | undefined {
  try {
    return folder.create('bash');
  } catch {
    return undefined;
  }
}

function readerOf(output: () => string): OutputReader {
  let position = 0;
  return {
    read: () => {
      const next = output().slice(position);
      position += next.length;
      return next;
    },
  };
}

function keep(text: string, { path, fd }: CreatedFile): void {
  try {
    writeFileSync(fd, text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError(
      'storage_failed',
      `The command has ended, but its output cannot be kept in ${path}: ${reason}. Free some space.`,
      { cause, partialOutput: text },
    );
  } finally {
    closeSync(fd);
  }
}
