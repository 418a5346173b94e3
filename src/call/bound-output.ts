import type { ToolCallResult } from '../core/call.js';
import { cutMiddle } from '../core/text/cut-middle.js';
import type { Tool } from '../core/tool.js';
import { turnShareChars } from '../core/turn-share.js';
import type { CutOutput, Run } from './run/run.js';
import type { TurnCall } from './suspension/turn-call.js';

/**
 * Cuts a text to the limit of the tool: head and tail stay, the whole text goes to a file that the model can read, and
 * a line between them names the file.
 */
export async function boundOutput(text: string, tool: Tool, run: Run): Promise<string> {
  const cut = cutMiddle(text, tool.maxOutputChars ?? run.settings.limits.output.maxChars);
  if (cut === undefined) return text;
  const { head, tail } = cut;
  const output: CutOutput = { head, tail, chars: text.length, path: await spill(text, run) };
  const shown = joined(output, omission(output));
  run.cuts ??= new Map();
  run.cuts.set(shown, output);
  return shown;
}

/** Saves a text to a file that the model can read. Resolves with its path; undefined if it could not be saved. */
async function spill(text: string, run: Run): Promise<string | undefined> {
  const { outputStore, limits } = run.settings;
  if (outputStore === undefined) return undefined;
  const outcome = await run.consult('The output store', limits.resolver.timeoutMs, (scope) =>
    outputStore.save(text, scope),
  );
  // A full disk costs the middle of the output, not the result.
  return outcome.kind === 'value' && typeof outcome.value === 'string' ? outcome.value : undefined;
}

/** The kept head and tail of an output, with a notice between them. */
function joined({ head, tail }: Pick<CutOutput, 'head' | 'tail'>, notice: string): string {
  return `${head}${head.endsWith('\n') ? '' : '\n'}${notice}\n${tail}`;
}

/** The line that says how much was omitted, and where the full output is. */
function omission({ head, tail, chars, path }: CutOutput): string {
  const omitted = chars - head.length - tail.length;
  return path === undefined
    ? `[${omitted} characters omitted]`
    : `[${omitted} characters omitted; full output: ${path}]`;
}

/**
 * Shortens the results of a turn until together they fit the limit of a turn. Long results are cut from the last to the
 * first, each only as far as necessary and to no less than half of an even share; the full text goes to a file. Every
 * result stays in its place.
 */
export async function fitTurn(calls: readonly TurnCall[], run: Run): Promise<readonly TurnCall[]> {
  const { maxTurnChars } = run.settings.limits.output;
  let over = -maxTurnChars;
  for (const { result } of calls) over += result?.output.length ?? 0;
  if (over <= 0 || maxTurnChars === 0) return calls;
  const keptChars = turnShareChars(maxTurnChars, calls.filter(({ result }) => result !== undefined).length);
  const fitted = [...calls];
  for (const [index, { call, result }] of [...calls.entries()].reverse()) {
    if (over <= 0) break;
    const { length } = result?.output ?? '';
    if (result === undefined || length <= keptChars) continue;
    const output = await shorten(result, Math.max(keptChars, length - over), run);
    if (output.length >= length) continue;
    over -= length - output.length;
    fitted[index] = { call, result: { ...result, output } };
  }
  return fitted;
}

async function shorten({ ok, output }: ToolCallResult, maxChars: number, run: Run): Promise<string> {
  const prefix = ok ? '' : 'Error: ';
  const text = output.slice(prefix.length);
  const whole = run.cuts?.get(text) ?? { head: text, tail: '', chars: text.length, path: await spill(text, run) };
  // The notice is longest if nothing is kept; one line break stands before it and one after it.
  const noticeChars = noticeOf({ ...whole, head: '', tail: '' }, run).length + 2;
  const cut = cutMiddle(whole.head + whole.tail, Math.max(0, maxChars - prefix.length - noticeChars));
  return cut === undefined ? output : prefix + joined(cut, noticeOf({ ...whole, ...cut }, run));
}

function noticeOf(cut: CutOutput, run: Run): string {
  const reason = `The results of this turn are longer together than ${run.settings.limits.output.maxTurnChars} characters`;
  const next =
    cut.path === undefined
      ? 'make this call again by itself to see the rest'
      : 'use Read or Grep on that file for the rest';
  return `${omission(cut)}\n[${reason}: ${next}.]`;
}
