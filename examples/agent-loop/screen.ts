import type { PermissionRequest, ToolCallResult, ToolEvent } from 'toolwright';
import { createPaint, type Paint, plain } from './paint.js';

/** The output for a person who watches the agent. Text of models and tools is printed without control characters. */
export interface Screen {
  say(text: string): void;
  /** Prints that the task is done. */
  succeed(text: string): void;
  /** Shows the running call, if the screen is a terminal. */
  readonly event: (event: ToolEvent) => void;
  /** Shows a finished call: its title, its duration, and an excerpt of its output. */
  result(result: ToolCallResult): void;
  /** Shows the call that a person is asked about. */
  request(request: PermissionRequest): void;
  /** Asks for a line of text. The cursor stays after the question. */
  ask(question: string): void;
  /** Shows the answer. */
  decision(isAllowed: boolean, why: string): void;
  readonly paint: Paint;
}

/** The stream of a screen, usually `process.stdout`. */
export interface ScreenStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** A screen on a stream. The environment decides whether it uses colours. */
export function createScreen(stream: ScreenStream, env: NodeJS.ProcessEnv): Screen {
  const paint = createPaint(stream, env);
  const running = new Map<string, { readonly title: string; readonly since: number }>();
  const titles = new Map<string, string>();
  const isLive = stream.isTTY === true && env.TERM !== 'dumb';
  let ticker: NodeJS.Timeout | undefined;
  // While a person types an answer, nothing else is printed on that line.
  let isAsking = false;

  const clear = () => {
    if (isLive && !isAsking) stream.write('\r\u001b[K');
  };
  const print = (line: string) => {
    isAsking = false;
    clear();
    stream.write(`${line}\n`);
  };
  const tick = () => {
    const [first] = running.values();
    if (first === undefined || isAsking) return;
    const more = running.size > 1 ? ` and ${running.size - 1} more` : '';
    const line = `… ${first.title}${more} ${elapsed(performance.now() - first.since)}`;
    clear();
    stream.write(paint.dim(line.slice(0, (stream.columns || 80) - 1)));
  };
  const watch = () => {
    clearInterval(ticker);
    clear();
    if (running.size > 0 && isLive) ticker = setInterval(tick, 200).unref();
  };

  return {
    paint,
    say: (text) => {
      if (text.trim() !== '') print(`\n${paint.bold(plain(text))}`);
    },
    succeed: (text) => print(`\n${paint.green(plain(text))}`),
    event: (event) => {
      if (event.type === 'tool-start') {
        const title = firstLine(event.title ?? event.name);
        titles.set(event.callId, title);
        running.set(event.callId, { title, since: performance.now() });
        watch();
      } else if (event.type === 'tool-end') {
        running.delete(event.callId);
        watch();
      }
    },
    result: (result) => {
      const title = titles.get(result.callId) ?? result.name;
      const note =
        result.ok && result.title !== undefined && firstLine(result.title) !== title
          ? ` · ${firstLine(result.title)}`
          : '';
      print(`  ${markOf(result, paint)} ${title} ${paint.dim(`${elapsed(result.durationMs)}${note}`)}`);
      for (const line of excerpt(result)) print(`    ${tint(line, result, paint)}`);
      if (result.additionalContext !== undefined)
        print(`    ${paint.cyan(`hook: ${firstLine(result.additionalContext)}`)}`);
    },
    request: (request) => {
      print(`  ${paint.yellow('?')} ${firstLine(request.title)} ${paint.dim(`risk ${request.risk}`)}`);
      if (request.reason !== undefined) print(`    ${paint.dim(plain(request.reason))}`);
      for (const warning of request.warnings) print(`    ${paint.red(`careful: ${plain(warning)}`)}`);
      const preview = plain(request.preview ?? '').split('\n');
      for (const line of preview.filter(Boolean)) print(`    ${tintDiff(line, paint)}`);
    },
    ask: (question) => {
      clear();
      isAsking = true;
      stream.write(`    ${question}`);
    },
    decision: (isAllowed, why) =>
      print(`    ${isAllowed ? paint.green('allowed') : paint.red('denied')}: ${plain(why)}`),
  };
}

/** `7 ms`, `1.3 s`, `2 min 5 s`. */
function elapsed(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`;
  return `${Math.floor(durationMs / 60_000)} min ${Math.round((durationMs % 60_000) / 1000)} s`;
}

function firstLine(text: string): string {
  return plain(text).split('\n', 1)[0] ?? '';
}

function markOf(result: ToolCallResult, paint: Paint): string {
  if (!result.ok) return paint.red('✗');
  const { exitCode } = result.metadata ?? {};
  return exitCode === undefined || exitCode === 0 ? paint.green('✓') : paint.yellow('!');
}

const maxLines = 10;

/**
 * The end of the output of a command, the beginning of any other output, and the diff. Hidden if a hook asked for it.
 */
function excerpt(result: ToolCallResult): string[] {
  if (result.suppressOutput) return ['(output hidden by a hook)'];
  // The output has no diff because the model knows its change; a person needs to see it.
  const diff = typeof result.metadata?.diff === 'string' ? result.metadata.diff.replace(/^---.*\n\+\+\+.*\n/, '') : '';
  const lines = plain(`${result.output.trimEnd()}\n${diff}`).trimEnd().split('\n');
  if (lines.length <= maxLines) return lines;
  const note = `[${lines.length - maxLines} more lines]`;
  return result.name === 'Bash' ? [note, ...lines.slice(-maxLines)] : [...lines.slice(0, maxLines), note];
}

function tint(line: string, result: ToolCallResult, paint: Paint): string {
  if (!result.ok) return paint.red(line);
  return result.name === 'Edit' || result.name === 'Write' ? tintDiff(line, paint) : paint.dim(line);
}

function tintDiff(line: string, paint: Paint): string {
  if (line.startsWith('+')) return paint.green(line);
  return line.startsWith('-') ? paint.red(line) : paint.dim(line);
}
