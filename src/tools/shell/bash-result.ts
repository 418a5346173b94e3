import { firstChars } from '../../core/text/cut.js';
import type { ToolMetadata } from '../../core/tool-result.js';
import type { ShellOutcome, Survivor } from '../../ports/shell.js';

const maxListed = 5;
const maxCommandChars = 60;

/** The text for the model about a finished command: its output, processes left running, and how it ended. */
export function describeOutcome(outcome: ShellOutcome, command = ''): string {
  const output = outcome.output.trim() === '' ? silence(command) : outcome.output;
  const lines = [...sideLines(outcome), ...endLines(outcome)];
  return lines.length === 0 ? output : `${output}${output.endsWith('\n') ? '' : '\n'}${lines.join('\n')}`;
}

/** Notes for the model in addition to the output and the exit code. */
export function sideLines({ survivors, outputFile, note }: ShellOutcome): string[] {
  return [
    ...(survivors.length === 0 ? [] : [`Still running: ${listOf(survivors)}; output goes on in ${outputFile}`]),
    ...(note === undefined ? [] : [note]),
  ];
}

/** A line for each process that could not be ended. */
export function stubbornLines(survivors: readonly Survivor[]): string[] {
  return survivors.length === 0 ? [] : [`Still running, because it cannot be ended: ${listOf(survivors)}`];
}

/** The metadata of a command result: the outcome without its texts. */
export function outcomeMetadata(outcome: ShellOutcome): ToolMetadata {
  const { output: _, note: __, ...facts } = outcome;
  return facts;
}

const readsInput =
  /^\s*(?:(?:cat|head|tail|wc|sort|uniq|bc|tee|python3?|node|ruby|perl|bash|sh)(?:\s+(?:-\S+|\d+))*|read\b[^|<>;&]*)\s*$/;

function silence(command: string): string {
  return readsInput.test(command)
    ? '(no output)\n[the command read its input, which is empty here; pass it a file or a here-document]'
    : '(no output)';
}

/** The first of the processes, and how many more there are. */
export function listOf(survivors: readonly Survivor[]): string {
  const listed = survivors
    .slice(0, maxListed)
    .map(({ pid, command }) => `${pid} (${firstChars(command, maxCommandChars)})`);
  const more = survivors.length > maxListed ? ` and ${survivors.length - maxListed} more` : '';
  return `${listed.join(', ')}${more}`;
}

function endLines({ exitCode, signal }: ShellOutcome): string[] {
  if (signal !== undefined) return [`Killed by signal ${signal}`];
  return exitCode === undefined || exitCode === 0 ? [] : [`Exit code: ${exitCode}`];
}
