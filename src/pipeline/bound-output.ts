import type { Tool } from '../core/tool.js';
import { type CutText, cutMiddle } from '../text/cut-middle.js';
import type { Run } from './run.js';

/** Keeps a text within the tool's limit: head and tail stay, the whole goes to a file that the model can read on in, and a line says so. */
export function boundOutput(text: string, tool: Tool, run: Run): string | Promise<string> {
  const cut = cutMiddle(text, tool.maxOutputChars ?? run.settings.limits.output.maxChars);
  return cut === undefined ? text : withNotice(text, cut, run);
}

async function withNotice(text: string, cut: CutText, run: Run): Promise<string> {
  const path = await spill(text, run);
  const notice = path === undefined ? `[${cut.omitted} characters omitted]` : `[${cut.omitted} characters omitted; full output: ${path}]`;
  return `${cut.head}${cut.head.endsWith('\n') ? '' : '\n'}${notice}\n${cut.tail}`;
}

async function spill(text: string, run: Run): Promise<string | undefined> {
  const { outputStore, limits } = run.settings;
  if (outputStore === undefined) return undefined;
  const outcome = await run.consult('The output store', limits.resolver.timeoutMs, (scope) => outputStore.save(text, scope));
  // A full disk costs the middle of the output, not the result.
  return outcome.kind === 'value' && typeof outcome.value === 'string' ? outcome.value : undefined;
}
