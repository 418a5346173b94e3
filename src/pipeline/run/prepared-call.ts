import type { ToolCall } from '../../core/call.js';
import type { Footprint, Tool } from '../../core/tool.js';
import { escapeLine } from '../../text/display.js';
import type { AcceptedInput } from '../input/parse-input.js';
import type { Run } from './run.js';
import { scrubText } from './scrub-result.js';

/** A call on its way to running: the tool, and the input as it stands after coercion and rewrites. */
export interface PreparedCall {
  readonly call: ToolCall;
  /** How many calls before it in its turn have its id. */
  readonly occurrence: number;
  readonly tool: Tool;
  readonly input: AcceptedInput;
  readonly footprint: Footprint;
  /** One line for people, scrubbed and escaped. */
  readonly title: string;
}

/** Title of a call, safe to print. A tool whose title throws is called by its name. */
export function titleOf(tool: Tool, input: AcceptedInput, run: Run): string {
  let title = tool.name;
  try {
    title = tool.titleOf(input.parsed);
  } catch {
    // A broken title is no reason to refuse a call.
  }
  return escapeLine(scrubText(title, run), run.settings.limits.approval.maxTitleChars);
}
