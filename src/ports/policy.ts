import type { Caller } from '../core/context.js';
import type { Tool } from '../core/tool.js';

/** Decides which tools a caller is offered. The same function makes the list for the model and checks each call. */
export interface Policy {
  offers(tool: Tool, caller: Caller): boolean;
  /** The reason, as one line for people. */
  explain(tool: Tool, caller: Caller): string;
}
