import type { CallScope } from '../core/context.js';
import type { Tool } from '../core/tool.js';

/**
 * Loads a tool that is not in the registry, by the name that the model used. The returned tool is registered and run.
 * The time limit is `limits.resolver.timeoutMs`. A rejection becomes `unknown_tool` with its reason. A retryable
 * ToolError, such as `mcp_unavailable`, is passed on unchanged.
 */
export type ToolResolver = (name: string, scope: CallScope) => Promise<Tool | undefined> | Tool | undefined;
