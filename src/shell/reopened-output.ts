const reopens = /\/dev\/(?:stdout|stderr|fd\/[12])|\/proc\/[^/\s]+\/fd\//;
const throughPipe = 'exec > >(exec 3<&0; cat <&3 3<&- & ) 2>&1; ';

/**
 * Opening `/dev/stdout` or `/dev/stderr` for writing empties the file behind it, and the output so far with it. A bash command that names them
 * gets a pipe in front of the file, where opening again is harmless; every other command stays as it is.
 */
export function keepReopenedOutput(command: string): string {
  return reopens.test(command) ? throughPipe + command : command;
}
