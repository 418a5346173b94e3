import * as z from 'zod/v4';
import {
  type ExecuteOptions,
  executeTools,
  type StandardSchema,
  Tool,
  type ToolCall,
  type ToolDefinition,
  type ToolEvent,
  ToolRegistry,
  type ToolRun,
} from '../../src/core.js';

/** Permissions that allow every call. */
export const allowAll = { check: async () => ({ behavior: 'allow' as const }) };

/** A tool without input fields that calls the function. */
export function tool(name: string, execute: ToolDefinition<StandardSchema>['execute'], more: object = {}) {
  return Tool.define(name, {
    description: `Test tool ${name}.`,
    input: z.object({}).loose(),
    sideEffect: 'none',
    execute,
    ...more,
  });
}

/** Calls by name, with ids in order. */
export function calls(...names: readonly (string | readonly [string, unknown])[]): ToolCall[] {
  return names.map((entry, index) => {
    const [name, input] = typeof entry === 'string' ? [entry, {}] : entry;
    return { id: `call_${index}`, name, input };
  });
}

/** Runs calls over some tools and records the events. */
export async function run(
  tools: readonly Tool[],
  turn: readonly ToolCall[],
  options: Partial<ExecuteOptions> = {},
): Promise<ToolRun & { readonly events: readonly ToolEvent[] }> {
  const events: ToolEvent[] = [];
  const outcome = await executeTools(turn, {
    registry: new ToolRegistry().register(...tools),
    permissions: allowAll,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { ...outcome, events };
}

/** A promise and the functions that settle it. */
export function deferred<Value = void>() {
  let resolve: (value: Value) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** A promise that never settles. */
export const never: Promise<never> = new Promise(() => {});

/** Runs all pending callbacks. */
export async function settle(turns = 5): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}
