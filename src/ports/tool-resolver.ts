import type { CallScope } from '../core/context.js';
import type { Tool } from '../core/tool.js';

/**
 * Loads an unregistered tool by the name that the model used, to be registered and run, within
 * `limits.resolver.timeoutMs`. A rejection becomes `unknown_tool`; a retryable ToolError such as `mcp_unavailable` is
 * passed on.
 */
export type ToolResolver = (name: string, scope: CallScope) => Promise<Tool | undefined> | Tool | undefined;
