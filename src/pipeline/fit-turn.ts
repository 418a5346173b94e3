import type { ToolCallResult } from '../core/call.js';
import { turnShareChars } from '../core/turn-share.js';
import { cutMiddle } from '../text/cut-middle.js';
import { spill } from './bound-output.js';
import { type CutOutput, joined, omission } from './run/cut-output.js';
import type { Run } from './run/run.js';

/**
 * Brings the results of a turn, which come to `chars` characters, within what a turn may come to. The last of the long
 * ones are cut first, each as far as it takes and none below half of an even share; what is cut goes to a file. Every
 * result stays, in its place.
 */
export async function fitTurn(results: ToolCallResult[], chars: number, run: Run): Promise<void> {
  const { maxTurnChars } = run.settings.limits.output;
  if (maxTurnChars === 0) return;
  const keptChars = turnShareChars(maxTurnChars, results.length);
  let over = chars - maxTurnChars;
  for (const [index, result] of [...results.entries()].reverse()) {
    const { length } = result.output;
    if (over <= 0) return;
    if (length <= keptChars) continue;
    const output = await shorten(result, Math.max(keptChars, length - over), run);
    if (output.length >= length) continue;
    over -= length - output.length;
    results[index] = { ...result, output };
  }
}

async function shorten({ ok, output }: ToolCallResult, maxChars: number, run: Run): Promise<string> {
  const prefix = ok ? '' : 'Error: ';
  const text = output.slice(prefix.length);
  const whole = run.cuts?.get(text) ?? { head: text, tail: '', chars: text.length, path: await spill(text, run) };
  // The notice is at its longest where nothing is kept; two line breaks stand around it.
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
