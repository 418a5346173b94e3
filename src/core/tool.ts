import type { CallAssessment } from './assessment.js';
import type { ToolTraits } from './builtin-tool-facts.js';
import { type CallScope, type NamedToolContext, namedContext, type ToolContext } from './context.js';
import { ToolError } from './error.js';
import { assessmentParts, makeAssess } from './make-assess.js';
import { sideEffectOf, type ToolPermissions, toolPermissions } from './permission-category.js';
import { toToolResult } from './read-tool-result.js';
import { defaultRisk, isSideEffect, type Risk, type SideEffect } from './risk.js';
import { type InputSchema, inputSchema, type SchemaLike, type SchemaOutput } from './schema/input.js';
import {
  assertArgument,
  assertOptions,
  isThenable,
  kindOf,
  type OptionKinds,
  withHandledRejection,
} from './support/check-values.js';
import type { ToolDefinition, ToolInit, ToolInitContext, ToolSending } from './tool-definition.js';
import { builtinTool, type McpOrigin, splitWords } from './tool-names.js';
import type { ToolMetadata, ToolResult } from './tool-result.js';

/** A tool, ready to register or to call by hand: `tool.execute(input, context)`. Made by {@link Tool.define}. */
export interface Tool<Input = unknown, Metadata extends ToolMetadata = ToolMetadata> {
  readonly name: string;
  readonly description: string;
  readonly input: InputSchema<Input>;
  readonly sideEffect: SideEffect;
  readonly permissions: Required<ToolPermissions>;
  readonly groups: readonly string[];
  readonly traits?: ToolTraits | undefined;
  readonly timeoutMs: number | undefined;
  readonly maxOutputChars: number | undefined;
  readonly idempotent: boolean;
  readonly literalFields: readonly string[];
  readonly examples?: readonly unknown[];
  readonly replace?: boolean;
  readonly sending?: ToolSending;
  readonly mcp?: McpOrigin;
  /** Assesses an input, with `assess` of the definition or with its functions for single parts. */
  assess(input: Input, scope: CallScope): CallAssessment | Promise<CallAssessment>;
  /** Risk of an input before the call; the risk of the side effect if the tool assesses asynchronously. */
  riskOf(input: Input): Risk;
  adviceOf?(offered: ReadonlySet<string>): string | undefined;
  execute(input: Input, context: ToolContext): Promise<ToolResult<Metadata>>;
  /**
   * Makes the tool that replaces this tool; set only on tools that are made on first use. A registry calls `init` once
   * for itself and its clones, in `ready()` or in the first turn that uses the registry. The registry calls `init`
   * again only after a failure. Until `init` succeeds the tool is not listed, and a call fails with `execution_failed`
   * and the reason.
   */
  readonly init?: (context: ToolInitContext) => Promise<Tool>;
}

/**
 * Makes tools.
 *
 * @example const echo = Tool.define('Echo', {
 *   description: 'Repeat a text.',
 *   input: z.object({ text: z.string() }),
 *   sideEffect: 'none',
 *   execute: async ({ text }) => text,
 * });
 */
export const Tool = { define: defineTool };

/** The types of tools under the names `Tool.Info`, `Tool.Definition` and so on. */
export declare namespace Tool {
  type Info<Schema extends SchemaLike = SchemaLike, M extends Metadata = Metadata> = Tool<SchemaOutput<Schema>, M>;
  type Definition<Schema extends SchemaLike, M extends Metadata = Metadata> = ToolDefinition<Schema, M>;
  type Context<_M extends Metadata = Metadata> = NamedToolContext;
  type Result<M extends Metadata = Metadata> = ToolResult<M>;
  type Metadata = ToolMetadata;
}

const nameForm = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Makes a tool from its definition, or from a function that makes the definition when it is first needed (see {@link
 * Tool.init}). Throws a TypeError for an unknown side effect, a schema that is not an object schema, or a name that
 * does not match `[A-Za-z0-9_-]{1,64}`, the form that every provider accepts. With an init function, only the error
 * about the name is thrown here; {@link Tool.init} rejects with the other errors.
 */
function defineTool<Schema extends SchemaLike, Metadata extends ToolMetadata = ToolMetadata>(
  name: string,
  definition: ToolDefinition<Schema, Metadata> | ToolInit<Schema, Metadata>,
): Tool<SchemaOutput<Schema>, Metadata> {
  assertArgument('Tool.define takes a name first', name, kindOf.anyText, 'Tool.define(name, definition)');
  if (!nameForm.test(name))
    throw new TypeError(`Tool name ${JSON.stringify(name)} must be 1 to 64 of the characters A-Z a-z 0-9 _ -`);
  return typeof definition === 'function' ? deferredTool(name, definition) : finishedTool(name, definition);
}

/** Until the init function has run, the tool counts as the most dangerous kind and refuses to execute. */
function deferredTool<Schema extends SchemaLike, Metadata extends ToolMetadata>(
  name: string,
  init: ToolInit<Schema, Metadata>,
  permissions: ToolPermissions = { required: ['execute', 'network', 'write', 'read'] },
): Tool<SchemaOutput<Schema>, Metadata> {
  const execute = () => {
    throw new ToolError(
      'execution_failed',
      `${name} is made by an init function. Register it and await registry.ready().`,
    );
  };
  const mostDangerous = { sideEffect: 'spawns', permissions } as const;
  const placeholder = finishedTool(name, { description: '', input: { type: 'object' }, ...mostDangerous, execute });
  const tool = Object.freeze({
    ...(placeholder as unknown as Tool<SchemaOutput<Schema>, Metadata>),
    init: async (context: ToolInitContext) => finishedTool(name, await init(context)),
  });
  const remake = (permissions: ToolPermissions) =>
    deferredTool<Schema, Metadata>(
      name,
      async (context) => ({ ...(await init(context)), permissions }),
      permissions,
    ) as Tool;
  toolRemakers.set(tool, remake);
  return tool;
}

/** For each tool made here, a function that makes the tool again with other permissions. */
const toolRemakers = new WeakMap<object, (permissions: ToolPermissions) => Tool>();

/**
 * The same tool with other permissions; the side effect follows from these permissions if the definition has no
 * `sideEffect`.
 */
export function withPermissions(tool: Tool, permissions: ToolPermissions): Tool {
  const remake = toolRemakers.get(tool);
  if (remake !== undefined) return remake(permissions);
  return Object.freeze({ ...tool, permissions: toolPermissions(tool.name, tool.sideEffect, permissions) });
}

function finishedTool<Schema extends SchemaLike, Metadata extends ToolMetadata>(
  name: string,
  definition: ToolDefinition<Schema, Metadata>,
): Tool<SchemaOutput<Schema>, Metadata> {
  if (typeof definition?.execute !== 'function') throw new TypeError(`Tool ${name}: pass execute(input, context)`);
  assertOptions(`Tool ${name}`, definition, definitionKinds);
  if (definition.description === undefined) throw new TypeError(`Tool ${name}: pass description, for the model`);
  const { sideEffect = sideEffectOf(definition.permissions), input, parameters } = definition;
  if (!isSideEffect(sideEffect)) {
    throw new TypeError(`Tool ${name}: sideEffect must be none, readonly, mutating, network, blocking or spawns`);
  }
  const part = definition.assess && assessmentParts.find((part) => definition[part] !== undefined);
  if (part !== undefined)
    throw new TypeError(`Tool ${name}: pass assess or ${part}, not both, because assess also returns the ${part}`);
  if (input !== undefined && parameters !== undefined)
    throw new TypeError(`Tool ${name}: pass input or parameters, not both, because parameters is an alias of input`);
  const assess = makeAssess(name, sideEffect, definition);
  const tool = Object.freeze({
    name,
    description: definition.description,
    input: inputSchema(name, (input ?? parameters) as Schema, definition.inputJson, definition.mcp !== undefined),
    sideEffect,
    permissions: toolPermissions(name, sideEffect, definition.permissions),
    groups: definition.groups ?? splitWords(builtinTool(name)?.groups),
    ...(definition.traits === undefined ? {} : { traits: definition.traits }),
    timeoutMs: definition.timeoutMs,
    maxOutputChars: definition.maxOutputChars,
    idempotent: definition.idempotent ?? (sideEffect === 'none' || sideEffect === 'readonly'),
    literalFields: definition.literalFields ?? [],
    examples: definition.examples ?? [],
    replace: definition.replace ?? false,
    ...(definition.sending === undefined ? {} : { sending: definition.sending }),
    ...(definition.mcp === undefined ? {} : { mcp: definition.mcp }),
    assess,
    riskOf: (input) => {
      const risk =
        definition.assess === undefined
          ? synchronous(definition.risk?.(input))
          : synchronous(assess(input, emptyScope))?.risk;
      return risk ?? defaultRisk(sideEffect);
    },
    adviceOf: (offered) => synchronous(definition.advice?.(offered)),
    execute: async (input, context) =>
      toToolResult<Metadata>(name, await definition.execute(input, namedContext(context))),
  } satisfies Tool<SchemaOutput<Schema>, Metadata>);
  toolRemakers.set(tool, (permissions) => finishedTool(name, { ...definition, permissions }) as Tool);
  return tool;
}

const emptyScope: CallScope = { caller: { sessionId: '' }, signal: new AbortController().signal };

/** Returns the answer, or undefined if the answer is a promise. */
function synchronous<Answer>(answer: Answer | Promise<Answer>): Answer | undefined {
  return isThenable(withHandledRejection(answer)) ? undefined : (answer as Answer);
}

const definitionKinds: OptionKinds<ToolDefinition<SchemaLike>> = {
  description: kindOf.anyText,
  input: kindOf.anything,
  parameters: kindOf.anything,
  inputJson: kindOf.anything,
  sideEffect: kindOf.anything,
  permissions: kindOf.anything,
  groups: kindOf.texts,
  traits: kindOf.record,
  timeoutMs: kindOf.milliseconds,
  maxOutputChars: kindOf.count,
  idempotent: kindOf.flag,
  literalFields: kindOf.texts,
  examples: kindOf.list,
  replace: kindOf.flag,
  mcp: kindOf.record,
  sending: kindOf.record,
  assess: kindOf.callback,
  title: kindOf.callback,
  preview: kindOf.callback,
  targets: kindOf.callback,
  footprint: kindOf.callback,
  risk: kindOf.callback,
  verdict: kindOf.callback,
  advice: kindOf.callback,
  execute: kindOf.callback,
};
