import type { CallScope } from '../core/context.js';
import type { Tool } from '../core/tool.js';

/**
 * Loads an unregistered tool by the name that the model used, within `limits.resolver.timeoutMs`. The tool is then
 * registered and run. A rejection becomes `unknown_tool`; a retryable ToolError such as `mcp_unavailable` is passed on.
 */
export type ToolResolver = (name: string, scope: CallScope) => Promise<Tool | undefined> | Tool | undefined;
