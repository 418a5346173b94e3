import type { Assessment, Footprint, Target, Verdict } from './assessment.js';
import type { ToolTraits } from './builtin-tool-facts.js';
import type { CallScope, NamedToolContext } from './context.js';
import type { ToolPermissions } from './permission-category.js';
import type { Risk, SideEffect } from './risk.js';
import type { SchemaInput, SchemaLike, SchemaOutput } from './schema/input.js';
import type { JsonSchemaObject } from './schema/json-schema.js';
import type { McpOrigin } from './tool-names.js';
import type { ToolAnswer, ToolMetadata } from './tool-result.js';

/** Options for sending the definition of a tool to a provider. */
export interface ToolSending {
  /** Leave the tool out of the first request; the provider's tool search loads it. */
  readonly deferLoading?: boolean;
  /** Stream the input of a call while the model writes it, before the provider has validated it. */
  readonly eagerInput?: boolean;
}

/** The definition of a tool. The schema sets the type of every `input`. */
export interface ToolDefinition<Schema extends SchemaLike, Metadata extends ToolMetadata = ToolMetadata> {
  /** Text for the model: the purpose of the tool and its critical constraints, in one or two sentences. */
  readonly description: string;
  /**
   * The schema of the input: zod 4, zod 3, any Standard Schema, or a plain JSON Schema. Its top level must be an
   * object. Required, as `input` or as `parameters`.
   */
  readonly input?: Schema;
  /** An alias of `input`. */
  readonly parameters?: Schema;
  /**
   * JSON Schema for the model, in place of the schema derived from `input`; required for a Standard Schema that cannot
   * describe itself.
   */
  readonly inputJson?: JsonSchemaObject | undefined;
  /**
   * The strongest effect of any call; the default risk and footprint follow from this effect. Default: from the
   * strongest of `permissions.required`: execute gives spawns, network gives network, write gives mutating, and read
   * gives readonly. Without required permissions: network.
   */
  readonly sideEffect?: SideEffect | undefined;
  /**
   * The permissions that a host must grant for `registry.enabled(granted)` to include the tool. Default: the category
   * of the side effect.
   */
  readonly permissions?: ToolPermissions | undefined;
  /**
   * The groups of the tool, which policies name as `group:NAME`. Default: the groups of the built-in tool with the same
   * name.
   */
  readonly groups?: readonly string[] | undefined;
  /**
   * Facts that permission modes, plan mode and guards decide by. Default: the traits of the built-in tool with the same
   * name.
   */
  readonly traits?: ToolTraits | undefined;
  /** Deadline of one call in milliseconds, 0 for none. Default `limits.call.timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /**
   * Longest output kept in the result, in characters; the rest is written to a file. Default `limits.output.maxChars`.
   */
  readonly maxOutputChars?: number | undefined;
  /**
   * Whether a repeated call has no further effect, so that a failed call may be retried. Default: true for the side
   * effects none and readonly.
   */
  readonly idempotent?: boolean | undefined;
  /** Top-level text fields that are never coerced: a number or boolean there is an error. */
  readonly literalFields?: readonly string[] | undefined;
  /**
   * Valid inputs; the message about an invalid input shows the first. A registry refuses a tool whose schema rejects an
   * example.
   */
  readonly examples?: readonly SchemaInput<Schema>[] | undefined;
  /** Replace another tool of the same name; otherwise a name that is in use is an error. Default false. */
  readonly replace?: boolean | undefined;
  /** Options for sending the definition, where the provider supports them. Default none. */
  readonly sending?: ToolSending | undefined;
  /**
   * The MCP server that the tool calls, and the name of the tool on that server. Rules for MCP servers match this
   * server and tool name. Default: no server.
   */
  readonly mcp?: McpOrigin | undefined;
  /**
   * Assesses a call before it runs, in place of `title`, `preview`, `targets`, `footprint`, `risk` and `verdict`, which
   * give one part each. The function must be read-only, because it is called before the permission decision, and called
   * again if the call had to wait.
   */
  assess?(input: SchemaOutput<Schema>, scope: CallScope): Assessment | Promise<Assessment>;
  /** One line for people, such as `Edit src/a.ts`. Default: the tool's name. */
  title?(input: SchemaOutput<Schema>): string;
  /** Multi-line text for the person who approves, such as the whole command or a diff. Default: the input as JSON. */
  preview?(input: SchemaOutput<Schema>, scope: CallScope): string | Promise<string>;
  /**
   * The targets that permission rules with a pattern match. A tool with the name or an alias of a built-in tool
   * defaults to targets from the input fields of that built-in tool. Other tools default to none.
   */
  targets?(input: SchemaOutput<Schema>, scope: CallScope): readonly Target[] | Promise<readonly Target[]>;
  /**
   * Default by side effect: none and readonly read everything, network touches nothing, and any other writes
   * everything.
   */
  footprint?(input: SchemaOutput<Schema>, scope: CallScope): Footprint | Promise<Footprint>;
  /** Risk of this input. Default: by side effect. */
  risk?(input: SchemaOutput<Schema>): Risk;
  /** Objection to this input. Default none. */
  verdict?(input: SchemaOutput<Schema>, scope: CallScope): Verdict | undefined | Promise<Verdict | undefined>;
  /**
   * A sentence for the system prompt of a caller; `offered` contains the names of all tools of that caller. Default
   * none.
   */
  advice?(offered: ReadonlySet<string>): string | undefined;
  /**
   * Runs the call. A returned text is short for `{ output: text }`, and an object as `output` becomes JSON text. Throw
   * a ToolError to fail with a code. Any other value, or an unknown field of a result such as `isError`, fails the call
   * with an error that names the field.
   */
  execute(
    input: SchemaOutput<Schema>,
    context: NamedToolContext,
  ): Promise<ToolAnswer<Metadata> | string> | ToolAnswer<Metadata> | string;
}

/** The argument of an init function. */
export interface ToolInitContext {
  /** The working directory of the registry: in a toolkit, the root of the toolkit. */
  readonly cwd: string;
  /** The same as `cwd`. */
  readonly workingDir: string;
}

/** Makes the definition of a tool on first use, for instance from a folder, a file or the answer of a server. */
export type ToolInit<Schema extends SchemaLike, Metadata extends ToolMetadata = ToolMetadata> = (
  context: ToolInitContext,
) => Promise<ToolDefinition<Schema, Metadata>> | ToolDefinition<Schema, Metadata>;
