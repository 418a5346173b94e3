import { closeSync, constants, openSync, writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import type { Shell, ShellOutcome, ShellOutput, ShellRequest } from '../../ports/shell.js';
import { CaptureFile } from './capture-file.js';
import { CommandOutput } from './command-output.js';
import type { OutputFolder } from './output-folder.js';
import { noScrubber, type OutputScrubber } from './output-scrubber.js';
import { resultView } from './output-view.js';

/** What {@link runToFile} works with. */
export interface OutputToFileOptions {
  readonly folder: Pick<OutputFolder, 'create'>;
  readonly limits: Pick<Limits, 'bash' | 'output'>;
  /** Applied to all text that is read. Default: none. */
  readonly scrubber?: OutputScrubber | undefined;
}

/**
 * Runs a command on a shell that may keep no file: unless it names one at once, its output goes to a file of
 * `options.folder` as soon as it gives it, which is when the command has ended.
 */
export async function runToFile(
  shell: Shell,
  request: ShellRequest,
  scope: CallScope,
  options: OutputToFileOptions,
): Promise<ShellOutcome> {
  let isNamed = false;
  const onStart = (output: ShellOutput) => {
    if (!isNamed) request.onStart?.(output);
    isNamed = true;
  };
  const running = Promise.resolve(shell.run({ ...request, onStart }, scope));
  // One that cannot run it at all says so now.
  await Promise.race([running, nextTurn()]);
  const file = isNamed ? undefined : ownFile(options);
  if (file === undefined) return await running;
  onStart(file.output);
  const text = await running.then(
    ({ output }) => output,
    (thrown: unknown) => ToolError.from(thrown).partialOutput ?? '',
  );
  file.write(text);
  return await running;
}

interface KeptFile {
  readonly output: ShellOutput;
  write(text: string): void;
}

/** Undefined where none can be made: the command runs by now, and its output goes the way of one that names no file. */
function ownFile({ folder, limits, scrubber = noScrubber }: OutputToFileOptions): KeptFile | undefined {
  const made = attempt(() => folder.create('bash'));
  if (made === undefined) return undefined;
  const capture = new CaptureFile(made, limits.bash.maxFileBytes);
  const kept = new CommandOutput(capture, undefined, resultView(limits.output, scrubber));
  // Opened again for each use, because nobody knows when the last one is.
  kept.close();
  return {
    output: { outputFile: capture.path, open: () => kept.open() },
    write: (text) => append(capture.path, text),
  };
}

function attempt<Made>(make: () => Made): Made | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function append(path: string, text: string): void {
  const { O_APPEND, O_WRONLY, O_NOFOLLOW = 0 } = constants;
  try {
    const file = openSync(path, O_APPEND | O_WRONLY | O_NOFOLLOW);
    try {
      writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    // Removed with its folder: nobody reads it any more.
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError(
      'storage_failed',
      `The command has ended, but its output cannot be kept in ${path}: ${reason}. Free some space.`,
      { cause, partialOutput: text },
    );
  }
}
