import { closeSync, constants, openSync, writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import type { Shell, ShellOutcome, ShellOutput, ShellRequest } from '../../ports/shell.js';
import { CaptureFile } from './capture-file.js';
import { CommandOutput } from './command-output.js';
import type { OutputFolder } from './output-folder.js';
import { noScrubber, type OutputScrubber, resultView } from './output-view.js';

/** Options of {@link runToFile}. */
export interface OutputToFileOptions {
  readonly folder: Pick<OutputFolder, 'create'>;
  readonly limits: Pick<Limits, 'bash' | 'output'>;
  /** Applied to all text that is read. Default: none. */
  readonly scrubber?: OutputScrubber | undefined;
}

/**
 * Runs a command on a shell that may keep no output file. If the shell names no file immediately, the output is written
 * to a new file in `options.folder` when the command has ended.
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
  // A shell that cannot run the command fails here.
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

/**
 * Undefined if no file can be created: the command already runs, so its output is treated like that of a shell without
 * a file.
 */
function ownFile({ folder, limits, scrubber = noScrubber }: OutputToFileOptions): KeptFile | undefined {
  const made = attempt(() => folder.create('bash'));
  if (made === undefined) return undefined;
  const capture = new CaptureFile(made, limits.bash.maxFileBytes);
  const kept = new CommandOutput(capture, undefined, resultView(limits.output, scrubber));
  // Each read opens the file again, since it is not known which read is the last.
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
    // The folder was removed, so the file has no reader.
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError(
      'storage_failed',
      `The command has ended, but its output cannot be kept in ${path}: ${reason}. Free some space.`,
      { cause, partialOutput: text },
    );
  }
}
