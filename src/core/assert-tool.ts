import type { DeferredTool, Tool } from './tool.js';

/** Throws a TypeError, for the author of the program, for what is no finished tool. */
export function assertTool(tool: Tool): void {
  const isTool = typeof tool === 'object' && tool !== null && typeof tool.name === 'string' && typeof tool.execute === 'function';
  if (!isTool || typeof tool.input?.parse !== 'function') throw new TypeError('register takes tools made by Tool.define(name, definition)');
}

/** True for what `Tool.define(name, init)` gives, false for a finished tool and for anything else. */
export function isDeferred(tool: Tool | DeferredTool): tool is DeferredTool {
  const { name, init } = (tool ?? {}) as Partial<DeferredTool>;
  return typeof name === 'string' && typeof init === 'function' && !('execute' in tool);
}
