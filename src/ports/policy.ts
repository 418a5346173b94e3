import type { Caller } from '../core/context.js';
import type { Tool } from '../core/tool.js';

/** Decides which tools a caller is offered. The list for the model and the check at the call are this one function. */
export interface Policy {
  offers(tool: Tool, caller: Caller): boolean;
  /** Why, in one line for people. */
  explain(tool: Tool, caller: Caller): string;
}
