import type { ToolTraits } from './builtin-tool-facts.js';
import type { CallScope, NamedToolContext, ToolContext } from './context.js';
import { defineTool } from './define-tool.js';
import type { CallAssessment } from './make-assess.js';
import type { ToolPermissions } from './permission-category.js';
import type { Risk, SideEffect } from './risk.js';
import type { InputSchema, SchemaInput, SchemaLike, SchemaOutput } from './schema/input.js';
import type { JsonSchemaObject } from './schema/json-schema.js';
import type { McpOrigin } from './tool-names.js';

/** Facts about a result for programs and people. JSON-serialisable. */
export type ToolMetadata = Readonly<Record<string, unknown>>;

/** Binary content beside the text of a result. */
export interface Attachment {
  /** For instance `image/png`. */
  readonly mediaType: string;
  /** The bytes in base64. */
  readonly data: string;
  readonly name?: string;
}

/** The result of a tool. `output` is for the model; the other fields are for people and programs. */
export interface ToolResult<Metadata extends ToolMetadata = ToolMetadata> {
  readonly output: string;
  readonly title?: string;
  readonly metadata?: Metadata;
  readonly attachments?: readonly Attachment[];
}

/** The result that the `execute` of a definition may return: its output is text, or an object that becomes JSON. */
export interface ToolAnswer<Metadata extends ToolMetadata = ToolMetadata> extends Omit<ToolResult<Metadata>, 'output'> {
  readonly output: string | object;
}

/** Everything, nothing, or named things: canonical paths, or keys such as `todos`. */
export type Touched = 'nothing' | 'everything' | readonly string[];

/** What a call touches. Two calls may run at the same time only if neither writes what the other reads or writes. */
export interface Footprint {
  readonly reads: Touched;
  readonly writes: Touched;
}

/**
 * An object that a call acts on, in the form that permission rules match: `Read(path)`, `Edit(path)`, `Bash(command)`,
 * `WebFetch(domain:…)`, `Agent(type)`.
 */
export type Target =
  /**
   * `path` is canonical; `given` is the absolute path as the model wrote it, if that differs; `root` is where relative
   * patterns start; `isInside` says whether the workspace serves the path. Leave the last three out: the pipeline
   * resolves the path and fills in these fields.
   */
  | {
      readonly kind: 'read' | 'edit';
      readonly path: string;
      readonly given?: string;
      readonly root?: string;
      readonly isInside?: boolean;
    }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'agent'; readonly type: string }
  /**
   * The text that rules with the name of this tool match. The text `phone:camera` matches the rules
   * `nodes(phone:camera)` and `nodes(phone:*)`, in which `*` stands for any characters.
   */
  | { readonly kind: 'own'; readonly name: string };

/**
 * A tool's own objection to an input. `deny` refuses the call before a person is asked; `ask` asks a person even where
 * an allow rule matches.
 */
export interface Verdict {
  readonly behavior: 'ask' | 'deny';
  readonly reason?: string | undefined;
}

/** The facts about a call before it runs. Rules, modes, guards and people decide by these facts. */
export interface Assessment {
  /** One line for people, such as `Edit src/a.ts`. Default: the tool's name. */
  readonly title?: string | undefined;
  /**
   * Text of many lines for the person who approves, such as the change. Default: the input as JSON. A function is called
   * only when a person is asked.
   */
  readonly preview?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** The targets that permission rules with a pattern match. Default: see {@link ToolDefinition.targets}. */
  readonly targets?: readonly Target[] | undefined;
  /** Default: by side effect, see {@link ToolDefinition.footprint}. */
  readonly footprint?: Footprint | undefined;
  /** Default: by side effect, see {@link ToolDefinition.risk}. */
  readonly risk?: Risk | undefined;
  /** Objection to this input. Default none. */
  readonly verdict?: Verdict | undefined;
  /** Sentences for the person who approves, among the warnings of the question. Default none. */
  readonly notes?: readonly string[] | undefined;
}

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
   * zod 4, zod 3, any Standard Schema, or a plain JSON Schema; an object at the top. Required, here or as `parameters`.
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
   * The strongest effect of any call; the default risk and footprint follow from this effect. Default: by the strongest
   * of `permissions.required`. Execute gives spawns, network gives network, write gives mutating, and read gives
   * readonly. Without required permissions the default is network.
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
   * give one part each. The function must be read-only, because it is called before permission, and again when the call
   * had to wait.
   */
  assess?(input: SchemaOutput<Schema>, scope: CallScope): Assessment | Promise<Assessment>;
  /** One line for people, such as `Edit src/a.ts`. Default: the tool's name. */
  title?(input: SchemaOutput<Schema>): string;
  /** Many lines for the person who approves: the whole command, the change. Default: the input as JSON. */
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
  /** A sentence for the system prompt of a caller who is offered these tools. Default none. */
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

/** The argument of an init function. */
export interface ToolInitContext {
  /** The working directory that the registry was made with: in a toolkit, its root. */
  readonly cwd: string;
  /** The same as `cwd`. */
  readonly workingDir: string;
}

/** Makes the definition of a tool on first use, for instance after reading a folder, a file or a server. */
export type ToolInit<Schema extends SchemaLike, Metadata extends ToolMetadata = ToolMetadata> = (
  context: ToolInitContext,
) => Promise<ToolDefinition<Schema, Metadata>> | ToolDefinition<Schema, Metadata>;

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
