const reopens = /\/dev\/(?:stdout|stderr|fd\/[12])|\/proc\/[^/\s]+\/fd\//;
const throughPipe = 'exec > >(exec 3<&0; cat <&3 3<&- & ) 2>&1; ';
const throughTwoPipes = 'exec > >(exec 3<&0; cat <&3 3<&- & ) 2> >(exec 3<&0; cat <&3 3<&- >&2 & ); ';

/**
 * Opening `/dev/stdout` or `/dev/stderr` for writing empties the file behind it, and the output so far with it. A bash
 * command that names them gets a pipe in front of the file, or of each of the two files, where opening again is
 * harmless; every other command stays as it is.
 */
export function keepReopenedOutput(command: string, isSeparate = false): string {
  return reopensOutput(command) ? (isSeparate ? throughTwoPipes : throughPipe) + command : command;
}

/** True for a command that names its output files, and perhaps opens them again. */
export function reopensOutput(command: string): boolean {
  return reopens.test(command);
}
