import { ToolError } from '../../../core/error.js';
import { nextStep } from '../query/pattern-error.js';

const operatingSystem = /\(os error (\d+)\)$/;
/**
 * The error for an invalid rule in the ignore file of a folder above the searched folder. The other rules apply, and
 * the search is complete.
 */
const brokenRule = /^(?!(?:rg: )?error parsing glob ).+: line \d+: error parsing glob '/;
/** Warnings of the memory allocator on emulated machines; they do not affect the search. */
const noise = /^<jemalloc>: /;
const maxErrorChars = 16_000;
/** ENOENT, ERROR_PATH_NOT_FOUND of Windows and ENOTDIR: the file was removed during the search. */
const gone = new Set(['2', '3', '20']);
const aboutTheQuery =
  /regex parse error|unrecognized file type|error parsing glob|exceeds size limit|is not allowed in a regex|impossible to match|invalid value/;
/** Advice about command-line flags, which a model cannot set. */
const advice = /\n\nConsider enabling [\s\S]*$/;

/** A run that ended by itself. */
export interface RipgrepRun {
  readonly program: string;
  readonly exitCode: number | undefined;
  /** Whether standard output was empty, although this mode prints something for every match. */
  readonly isSilent: boolean;
  /** The beginning of output that is not in the format of ripgrep. */
  readonly malformed: string | undefined;
}

/**
 * Reads the error output of a run while it arrives. Errors about unreadable files are only counted, since there may be
 * one for every file. The text of the other errors is kept up to a limit.
 */
export class RipgrepErrors {
  #unended = '';
  #text = '';
  #isEmpty = true;
  #unreadable = 0;

  /** Adds the next piece. */
  push(piece: string): void {
    const lines = (this.#unended + piece).split('\n');
    this.#unended = lines.pop()?.slice(0, maxErrorChars) ?? '';
    for (const line of lines) this.#add(line);
  }

  #add(line: string): void {
    if (noise.test(line)) return;
    this.#isEmpty &&= line.trim() === '';
    const code = operatingSystem.exec(line)?.[1];
    if (code !== undefined) this.#unreadable += gone.has(code) ? 0 : 1;
    else if (!brokenRule.test(line) && this.#text.length < maxErrorChars) this.#text += `${line}\n`;
  }

  /**
   * The number of files that the run could not read. Throws if the whole search failed. Exit code 0 means that ripgrep
   * found matches and printed them. Exit code 1 without errors means that it found nothing. Exit code 2 is not a
   * failure if all errors are about unreadable files.
   */
  unreadableFiles({ program, exitCode, isSilent, malformed }: RipgrepRun): number {
    this.push('\n');
    const text = this.#text.trim();
    const isKnown = exitCode === 0 || exitCode === 1 || exitCode === 2;
    if (isKnown && malformed !== undefined)
      throw broken(program, `its output is not in the expected format: ${JSON.stringify(malformed)}`);
    if (exitCode === 0 && isSilent) throw broken(program, text || 'it ended with exit code 0 and printed nothing');
    if (exitCode === 0) return 0;
    const saysNothing = this.#isEmpty && exitCode === 2;
    if (!isKnown || saysNothing || text !== '') throw ripgrepError(program, exitCode, text);
    return this.#unreadable;
  }
}

function ripgrepError(program: string, exitCode: number | undefined, text: string): ToolError {
  const words = text.replace(/^rg: /, '').replace(advice, '');
  if (aboutTheQuery.test(words)) return new ToolError('invalid_input', `${words}\n${nextStep(words)}`);
  const reason =
    words === '' ? `it ended with ${exitCode === undefined ? 'a signal' : `exit code ${exitCode}`}` : words;
  return broken(program, reason);
}

function broken(program: string, reason: string): ToolError {
  return new ToolError(
    'execution_failed',
    `ripgrep (${program}) failed: ${reason}. It is unknown whether there are matches; try a narrower path.`,
  );
}
