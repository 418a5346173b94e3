import type { CallScope } from '../core/context.js';
import type { Tool } from '../core/tool.js';

/**
 * Loads a tool that is not in the registry, by the name that the model used. The returned tool is registered and run.
 * It has `limits.resolver.timeoutMs`. A rejection becomes `unknown_tool` with its reason; a retryable ToolError, such
 * as `mcp_unavailable`, stays as it is.
 */
export type ToolResolver = (name: string, scope: CallScope) => Promise<Tool | undefined> | Tool | undefined;
