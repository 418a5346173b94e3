import type { CallScope } from '../core/context.js';
import type { Tool } from '../core/tool.js';

/**
 * Loads a tool that the registry does not hold, by the name the model used. The tool it returns is registered and run.
 * It has `limits.resolver.timeoutMs`; a rejection reaches the model as `unknown_tool` with the reason, a ToolError that is
 * retryable, such as `mcp_unavailable`, as it is.
 */
export type ToolResolver = (name: string, scope: CallScope) => Promise<Tool | undefined> | Tool | undefined;
