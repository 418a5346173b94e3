import { marksIn } from '../../secrets/redaction-marks.js';
import { assessCommand } from '../../shell/assess/assess-command.js';

const maxMarkChars = 40;
const anyFolder = { holdsNoSecrets: () => true, isOwnRepository: () => true };
/** With these a command is proven to only read, wherever that is: the first also after `cd`, the second anywhere. */
const readings = [anyFolder, { ...anyFolder, isInside: () => true }];

/**
 * What is to be known of a redaction mark in a command that may write, wherever it does: the mark is text there, and
 * would take the place of the secret. Undefined where no mark stands in it, or it only reads.
 */
export function markNotice(command: string): string | undefined {
  const [mark] = marksIn(command);
  if (mark === undefined || readings.some((known) => assessCommand(command, known).verdict === 'allow'))
    return undefined;
  return (
    `The command holds ${mark.slice(0, maxMarkChars)}, which stands for a secret that was hidden when text was ` +
    'shown. In a command it is text: a file written with it holds the mark, and the secret is lost. Change the other lines with Edit, or copy ' +
    'the line of the secret from the file that holds it.'
  );
}
