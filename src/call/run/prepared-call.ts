import type { CallAssessment } from '../../core/assessment.js';
import type { ToolCall } from '../../core/call.js';
import type { Footprint, Tool } from '../../core/tool.js';
import type { AcceptedInput } from '../input/parse-input.js';

/** A call on its way to running: the tool, and the input as it stands after coercion and rewrites. */
export interface PreparedCall {
  readonly call: ToolCall;
  /** How many calls before it in its turn have its id. */
  readonly occurrence: number;
  readonly tool: Tool;
  readonly input: AcceptedInput;
  /** What the tool says of it. */
  readonly assessment: CallAssessment;
  readonly footprint: Footprint;
  /** One line for people, scrubbed and escaped. */
  readonly title: string;
}
