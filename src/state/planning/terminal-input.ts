import type { CallScope } from '../../core/context.js';
import { planningNumbers } from '../../core/numbers.js';
import { assertOptions, having } from '../../core/support/option-kinds.js';
import type { UserAnswers, UserInput, UserQuestion } from '../../host/planning/user-input.js';
import { escapeLine, escapeLines } from '../../text/display.js';

/** A terminal, such as `{ input: process.stdin, output: process.stdout }`. */
export interface TerminalStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

const kinds = { input: having('a readable stream', 'on', 'pause'), output: having('a writable stream', 'write') };

/**
 * Asks at a terminal, one after the other: a number chooses an option, several with commas between them where that is
 * allowed, an empty line skips, anything else is an answer in words. When the input ends, what is left is skipped.
 */
export function terminalInput(streams: TerminalStreams): UserInput {
  assertOptions('terminalInput', streams, kinds);
  let last: Promise<unknown> = Promise.resolve();
  return {
    ask: ({ questions }, scope) => {
      const asked = last.then(() => askAll(questions, streams, scope));
      last = asked.catch(() => {});
      return asked;
    },
  };
}

async function askAll(
  questions: readonly UserQuestion[],
  { input, output }: TerminalStreams,
  { signal }: CallScope,
): Promise<UserAnswers> {
  signal.throwIfAborted();
  const { createInterface } = await import('node:readline');
  const typed: string[] = [];
  let isOver = (input as { readonly readableEnded?: boolean }).readableEnded === true;
  let wake = () => {};
  // The terminal itself edits the line and hears of Ctrl-C.
  const reader = createInterface({ input, terminal: false });
  reader.on('line', (line) => typed.push(line) && wake());
  const end = () => {
    isOver = true;
    wake();
  };
  reader.on('close', end);
  signal.addEventListener('abort', end, { once: true });
  const answers: [string, string][] = [];
  const skipped: string[] = [];
  try {
    for (const question of questions) {
      output.write(shown(question));
      while (typed.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve));
      signal.throwIfAborted();
      const answer = answerOf(typed.shift()?.trim() ?? '', question);
      if (answer === '') skipped.push(question.question);
      else answers.push([question.question, answer]);
    }
    return { answers: Object.fromEntries(answers), skipped };
  } finally {
    signal.removeEventListener('abort', end);
    reader.close();
  }
}

function shown({ question, header, options, multiSelect }: UserQuestion): string {
  const line = (text: string) => escapeLine(text, planningNumbers.maxTextChars);
  const indented = (text: string) => `     ${escapeLines(text).replaceAll('\n', '\n     ')}\n`;
  const choices = options.map(
    ({ label, description, preview }, index) =>
      `  ${index + 1}. ${line(label)}: ${line(description)}\n${preview === undefined ? '' : indented(preview)}`,
  );
  const how = multiSelect ? 'numbers with commas between them' : 'a number';
  return `\n[${line(header)}] ${line(question)}\n${choices.join('')}  ${how}, or words of your own; empty to skip: `;
}

function answerOf(typed: string, { options, multiSelect }: UserQuestion): string {
  const wanted = typed.split(',').map((part) => options[/^\s*\d\s*$/.test(part) ? Number(part) - 1 : -1]);
  const chosen = [...new Set(wanted)].flatMap((option) => (option === undefined ? [] : [option.label]));
  if (!wanted.includes(undefined) && (multiSelect || wanted.length === 1)) return chosen.join(', ');
  return options.find(({ label }) => label.toLowerCase() === typed.toLowerCase())?.label ?? typed;
}
