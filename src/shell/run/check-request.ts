import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { shellNumbers } from '../../core/numbers.js';
import type { ShellRequest } from '../../ports/shell.js';

/**
 * Throws for what cannot be run: `cancelled` after an abort, `invalid_input` for a command that no command line can
 * carry and for a time limit that is none.
 */
export function checkRequest(
  { command, timeoutMs }: ShellRequest,
  { signal }: CallScope,
  limits: Pick<Limits['bash'], 'maxCommandChars'>,
): void {
  if (signal.aborted) throw new ToolError('cancelled', 'operation cancelled');
  if (command.includes('\0'))
    throw new ToolError(
      'invalid_input',
      'The command holds a NUL character, which no command line can carry. Remove it.',
    );
  if (Buffer.byteLength(command) > shellNumbers.maxCommandBytes || command.length > limits.maxCommandChars) {
    throw new ToolError(
      'invalid_input',
      'The command is too long for one command line. Write it to a file and run that file.',
    );
  }
  if (timeoutMs !== undefined && !(timeoutMs > 0)) {
    throw new ToolError('invalid_input', `timeout must be a positive number of milliseconds, not ${timeoutMs}.`);
  }
}
