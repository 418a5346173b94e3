import type { Interface } from 'node:readline';
import type { CallScope } from '../core/context.js';
import { planningNumbers } from '../core/fixed-limits.js';
import { assertOptions, having } from '../core/support/check-values.js';
import { inTurn } from '../core/support/serial-queue.js';
import { escapeLine, escapeLines } from '../core/text/escape-for-people.js';
import type { UserAnswers, UserInput, UserQuestion } from '../ports/planning/user-input.js';

/** A terminal, such as `{ input: process.stdin, output: process.stdout }`. */
export interface TerminalStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

const kinds = { input: having('a readable stream', 'on', 'pause'), output: having('a writable stream', 'write') };

/**
 * Asks questions at a terminal, one after the other. A number chooses an option; several numbers, where allowed, are
 * separated by commas. An empty line skips the question, and any other text is a free answer. Lines typed ahead answer
 * the following questions. When the input ends, the remaining questions are skipped.
 */
export function terminalInput(streams: TerminalStreams): UserInput {
  assertOptions('terminalInput', streams, kinds);
  const lines = new TypedLines(streams.input);
  const oneByOne = inTurn();
  return {
    ask: ({ questions }, scope) => oneByOne(() => askAll(questions, streams.output, lines, scope)),
  };
}

async function askAll(
  questions: readonly UserQuestion[],
  output: NodeJS.WritableStream,
  lines: TypedLines,
  { signal }: CallScope,
): Promise<UserAnswers> {
  const answers: [string, string][] = [];
  const skipped: string[] = [];
  for (const question of questions) {
    signal.throwIfAborted();
    output.write(promptFor(question));
    const answer = answerOf(((await lines.next(signal)) ?? '').trim(), question);
    if (answer === '') skipped.push(question.question);
    else answers.push([question.question, answer]);
  }
  return { answers: Object.fromEntries(answers), skipped };
}

/** Reads lines of an input, only while a line is awaited. */
class TypedLines {
  readonly #input: NodeJS.ReadableStream;
  readonly #typed: string[] = [];
  #reader: Interface | undefined;
  #isOver = false;
  #wake = () => {};

  constructor(input: NodeJS.ReadableStream) {
    this.#input = input;
  }

  /** The next line; undefined at the end of input. Rejects when the signal aborts. */
  async next(signal: AbortSignal): Promise<string | undefined> {
    const reader = await this.#open();
    const wake = () => this.#wake();
    signal.addEventListener('abort', wake, { once: true });
    try {
      while (this.#typed.length === 0 && !this.#isOver && !signal.aborted) {
        reader.resume();
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      signal.throwIfAborted();
      return this.#typed.shift();
    } finally {
      signal.removeEventListener('abort', wake);
      // The reader is paused so that it does not keep the process alive.
      if (!this.#isOver) reader.pause();
    }
  }

  async #open(): Promise<Interface> {
    if (this.#reader !== undefined) return this.#reader;
    const { createInterface } = await import('node:readline');
    const input = this.#input as NodeJS.ReadableStream &
      Partial<Readonly<Record<'readableEnded' | 'destroyed', boolean>>>;
    this.#isOver = input.readableEnded === true || input.destroyed === true;
    // The terminal handles line editing and Ctrl-C.
    const reader = createInterface({ input, terminal: false });
    const end = () => {
      this.#isOver = true;
      this.#wake();
    };
    reader.on('line', (line) => {
      this.#typed.push(line);
      this.#wake();
    });
    for (const event of ['close', 'error']) reader.on(event, end);
    for (const event of ['close', 'error']) input.on(event, end);
    this.#reader = reader;
    return reader;
  }
}

function promptFor({ question, header, options, multiSelect }: UserQuestion): string {
  const line = (text: string) => escapeLine(text, planningNumbers.maxTextChars);
  const indented = (text: string) => `     ${escapeLines(text).replaceAll('\n', '\n     ')}\n`;
  const choices = options.map(
    ({ label, description, preview }, index) =>
      `  ${index + 1}. ${line(label)}: ${line(description)}\n${preview === undefined ? '' : indented(preview)}`,
  );
  const how = multiSelect ? 'numbers separated by commas' : 'a number';
  return `\n[${line(header)}] ${line(question)}\n${choices.join('')}  ${how}, or your own answer; empty to skip: `;
}

function answerOf(typed: string, { options, multiSelect }: UserQuestion): string {
  const wanted = typed.split(',').map((part) => options[/^\s*\d\s*$/.test(part) ? Number(part) - 1 : -1]);
  const chosen = [...new Set(wanted)].flatMap((option) => (option === undefined ? [] : [option.label]));
  if (!wanted.includes(undefined) && (multiSelect || wanted.length === 1)) return chosen.join(', ');
  return options.find(({ label }) => label.toLowerCase() === typed.toLowerCase())?.label ?? typed;
}
