import type { Tool } from '../core/tool.js';
import { cutMiddle } from '../text/cut-middle.js';
import { type CutOutput, joined, omission } from './run/cut-output.js';
import type { Run } from './run/run.js';

/**
 * Keeps a text within the tool's limit: head and tail stay, the whole goes to a file that the model can read on in, and
 * a line says so.
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

/** Saves a text for the model to read on in; answers the path, undefined where that cannot be done. */
export async function spill(text: string, run: Run): Promise<string | undefined> {
  const { outputStore, limits } = run.settings;
  if (outputStore === undefined) return undefined;
  const outcome = await run.consult('The output store', limits.resolver.timeoutMs, (scope) =>
    outputStore.save(text, scope),
  );
  // A full disk costs the middle of the output, not the result.
  return outcome.kind === 'value' && typeof outcome.value === 'string' ? outcome.value : undefined;
}
