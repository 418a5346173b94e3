import { ToolError } from '../core/error.js';
import { nextStep } from './pattern-advice.js';

/** What ripgrep complained about: files it could not read, or a reason why the whole search failed. */
export interface RipgrepComplaint {
  readonly unreadable: number;
  readonly error: ToolError | undefined;
}

const operatingSystem = /\(os error (\d+)\)$/;
const gone = new Set(['2', '3', '20']);
const aboutTheQuery =
  /regex parse error|unrecognized file type|error parsing glob|exceeds size limit|is not allowed in a regex|impossible to match|invalid value/;
/** Advice about flags, which whoever gave the pattern does not have. */
const advice = /\n\nConsider enabling [\s\S]*$/;

/** Reads the exit code and error output of a run that ended by itself. Exit code 2 with nothing but unreadable files is no failure of the search. */
export function ripgrepComplaint(exitCode: number | undefined, errorOutput: string): RipgrepComplaint {
  if (exitCode === 0 || exitCode === 1) return { unreadable: 0, error: undefined };
  const text = errorOutput.trim();
  const lines = text === '' ? [] : text.split('\n');
  const codes = lines.map((line) => operatingSystem.exec(line)?.[1]);
  if (exitCode === 2 && lines.length > 0 && codes.every((code) => code !== undefined)) {
    return { unreadable: codes.filter((code) => !gone.has(code)).length, error: undefined };
  }
  return { unreadable: 0, error: ripgrepError(exitCode, text) };
}

function ripgrepError(exitCode: number | undefined, text: string): ToolError {
  const words = text.replace(/^rg: /, '').replace(advice, '');
  if (aboutTheQuery.test(words)) return new ToolError('invalid_input', `${words}\n${nextStep(words)}`);
  const reason = words === '' ? `it ended with ${exitCode === undefined ? 'a signal' : `exit code ${exitCode}`}` : words;
  return new ToolError('execution_failed', `ripgrep failed: ${reason}. Nothing can be said about matches; try a narrower path.`);
}
