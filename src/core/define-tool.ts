import { toolPermissions } from './permission-category.js';
import { defaultRisk, isSideEffect } from './risk.js';
import { inputSchema, type SchemaLike, type SchemaOutput } from './schema.js';
import type { DeferredTool, Footprint, Tool, ToolDefinition, ToolInit, ToolMetadata } from './tool.js';
import { toToolResult } from './tool-result.js';

const nameForm = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Makes a tool from its definition. Throws a TypeError, for the author of the tool, when the name does not fit
 * `[A-Za-z0-9_-]{1,64}` (what every provider accepts), the side effect is none of the six words, or the schema is no object schema.
 */
export function defineTool<Schema extends SchemaLike, Metadata extends ToolMetadata = ToolMetadata>(
  name: string,
  definition: ToolDefinition<Schema, Metadata>,
): Tool<SchemaOutput<Schema>, Metadata>;
/**
 * Makes a tool that is written down by a function, once for each registry that holds it and its clones: when the registry is made ready,
 * or by the first turn that runs over it. Until then it is not listed. A registry that cannot make it answers its calls with
 * `execution_failed` and the reason.
 */
export function defineTool<Schema extends SchemaLike, Metadata extends ToolMetadata = ToolMetadata>(
  name: string,
  init: ToolInit<Schema, Metadata>,
): DeferredTool;
export function defineTool<Schema extends SchemaLike, Metadata extends ToolMetadata>(
  name: string,
  definition: ToolDefinition<Schema, Metadata> | ToolInit<Schema, Metadata>,
): Tool<SchemaOutput<Schema>, Metadata> | DeferredTool {
  if (!nameForm.test(name)) throw new TypeError(`Tool name ${JSON.stringify(name)} must be 1 to 64 of the characters A-Z a-z 0-9 _ -`);
  if (typeof definition !== 'function') return finishedTool(name, definition);
  return Object.freeze({ name, init: async (context) => finishedTool(name, await definition(context)) } satisfies DeferredTool);
}

function finishedTool<Schema extends SchemaLike, Metadata extends ToolMetadata>(
  name: string,
  definition: ToolDefinition<Schema, Metadata>,
): Tool<SchemaOutput<Schema>, Metadata> {
  if (typeof definition?.execute !== 'function') throw new TypeError(`Tool ${name}: pass execute(input, context)`);
  if (!isSideEffect(definition.sideEffect)) {
    throw new TypeError(`Tool ${name}: sideEffect must be none, readonly, mutating, network, blocking or spawns`);
  }
  const { sideEffect } = definition;
  return Object.freeze({
    name,
    description: definition.description,
    input: inputSchema(name, definition.input, definition.inputJson),
    sideEffect,
    permissions: toolPermissions(name, sideEffect, definition.permissions),
    groups: definition.groups ?? [],
    timeoutMs: definition.timeoutMs,
    maxOutputChars: definition.maxOutputChars,
    idempotent: definition.idempotent ?? (sideEffect === 'none' || sideEffect === 'readonly'),
    literalFields: definition.literalFields ?? [],
    titleOf: (input) => definition.title?.(input) ?? name,
    previewOf: (input) => definition.preview?.(input),
    targetsOf: (input, scope) => definition.targets?.(input, scope) ?? [],
    footprintOf: (input, scope) => definition.footprint?.(input, scope) ?? defaultFootprint(sideEffect),
    riskOf: (input) => definition.risk?.(input) ?? defaultRisk(sideEffect),
    verdictOf: (input, scope) => definition.verdict?.(input, scope),
    execute: async (input, context) => toToolResult<Metadata>(await definition.execute(input, context)),
  } satisfies Tool<SchemaOutput<Schema>, Metadata>);
}

const readsEverything: Footprint = { reads: 'everything', writes: 'nothing' };
const touchesNothing: Footprint = { reads: 'nothing', writes: 'nothing' };
const writesEverything: Footprint = { reads: 'everything', writes: 'everything' };

function defaultFootprint(sideEffect: Tool['sideEffect']): Footprint {
  if (sideEffect === 'none' || sideEffect === 'readonly') return readsEverything;
  return sideEffect === 'network' ? touchesNothing : writesEverything;
}
