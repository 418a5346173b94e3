import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { AskAnswer, PermissionRequest } from 'toolwright';
import { plain } from './paint.js';
import type { Screen } from './screen.js';

/** Where answers are typed, usually `process.stdin`. */
export type Keyboard = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/** Shows the question and waits for a line. Without a terminal nobody can answer, so the call is denied. */
export async function askAtTerminal(
  request: PermissionRequest,
  keyboard: Keyboard,
  screen: Screen,
  signal: AbortSignal,
): Promise<AskAnswer> {
  screen.request(request);
  if (keyboard.isTTY !== true) {
    screen.decision(false, 'nobody can be asked, because the input is no terminal');
    return {
      behavior: 'deny',
      message:
        'Nobody can be asked here. Work with what is allowed, or say which rule the user should pass with --allow.',
    };
  }
  const always = request.suggestions.length === 0 ? '' : ` / [a]lways ${plain(request.suggestions.join(', '))}`;
  screen.ask(`allow? [y]es${always} / [n]o, or say why not: `);
  const answer = await readLine(keyboard, signal);
  const word = answer.toLowerCase();
  if (word === 'y' || word === 'yes') return 'allow-once';
  if (always !== '' && (word === 'a' || word === 'always')) return 'allow-always';
  if (['', 'n', 'no'].includes(word)) return 'deny';
  return { behavior: 'deny', message: `The user said no: ${answer}` };
}

/** The next typed line, trimmed; empty if the input has ended. */
async function readLine(keyboard: Keyboard, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: keyboard });
  try {
    const [line] = await Promise.race([
      once(lines, 'line', { signal }),
      once(lines, 'close', { signal }).then(() => ['']),
    ]);
    return String(line).trim();
  } finally {
    lines.close();
  }
}
