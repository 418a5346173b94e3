import type { Tool } from './tool.js';

/** Throws a TypeError, for the author of the program, for what is no tool. */
export function assertTool(tool: Tool): void {
  const isTool = typeof tool === 'object' && tool !== null && typeof tool.name === 'string' && typeof tool.execute === 'function';
  if (!isTool || typeof tool.input?.parse !== 'function') throw new TypeError('register takes tools made by Tool.define(name, definition)');
}
