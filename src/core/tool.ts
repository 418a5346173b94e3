import type { CallAssessment } from './assessment.js';
import type { ToolTraits } from './builtin-tools.js';
import type { CallScope, NamedToolContext, ToolContext } from './context.js';
import { defineTool } from './define-tool.js';
import type { ToolPermissions } from './permission-category.js';
import type { Risk, SideEffect } from './risk.js';
import type { JsonSchemaObject } from './schema/json-schema.js';
import type { InputSchema, SchemaInput, SchemaLike, SchemaOutput } from './schema/schema.js';
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

/** What a tool gives back. `output` is for the model; the rest is for people and programs. */
export interface ToolResult<Metadata extends ToolMetadata = ToolMetadata> {
  readonly output: string;
  readonly title?: string;
  readonly metadata?: Metadata;
  readonly attachments?: readonly Attachment[];
}

/** What the `execute` of a definition may give back: a result whose output is text, or an object that becomes JSON. */
export interface ToolAnswer<Metadata extends ToolMetadata = ToolMetadata> extends Omit<ToolResult<Metadata>, 'output'> {
  readonly output: string | object;
}

/** Everything, nothing, or named things: canonical paths, or keys such as `todos`. */
export type Touched = 'nothing' | 'everything' | readonly string[];

/** What a call touches. Two calls overlap only if neither writes what the other reads or writes. */
export interface Footprint {
  readonly reads: Touched;
  readonly writes: Touched;
}

/** What is known of the paths that a command names, as it writes them: what the workspace answers. */
export interface CommandPaths {
  /** Whether a path may be read without asking: it is inside the workspace, links counted. */
  readonly isInside?: (path: string) => boolean;
  /** Whether a deletion of whole folders may be asked about instead of refused. */
  readonly allowRecursiveDelete?: (path: string) => boolean;
  /** Whether a folder with everything below it, or everything a pattern stands for, holds nothing secret. */
  readonly holdsNoSecrets?: (pathOrPattern: string) => boolean;
  /** Whether git in a folder works on the repository of the workspace, and starts nothing that this names. */
  readonly isOwnRepository?: (folder: string) => boolean;
  /** Whether other programs run or obey a file, so that a change of it is asked about whatever an allow rule says. */
  readonly isObeyed?: (path: string) => boolean;
  /**
   * The absolute folders that a command may start in, the root first; relative patterns of rules start there. Default:
   * the root.
   */
  readonly folders?: () => readonly string[];
  /** An absolute path with its links followed, as far as it exists. Default: the path as it is. */
  readonly real?: (path: string) => string;
  /**
   * The real paths of what an absolute pattern of a shell stands for now; undefined where that takes more looks at the
   * disk than `maxLooks`. Default: none.
   */
  readonly matched?: (pattern: string, maxLooks?: number) => readonly string[] | undefined;
  /**
   * Whether a file of which the test is true is below a folder; undefined where there is too much to look at. Default:
   * undefined.
   */
  readonly holds?: (folder: string, test: (path: string) => boolean) => boolean | undefined;
}

/**
 * What a call acts on, in the words that permission rules speak: `Read(path)`, `Edit(path)`, `Bash(command)`,
 * `WebFetch(domain:…)`, `Agent(type)`.
 */
export type Target =
  /**
   * `path` is canonical; `given` is the absolute path as the model wrote it, where that differs; `root` is where
   * relative patterns start; `isInside` says whether the workspace serves the path. Leave the last three out: the
   * pipeline looks where the path leads and fills them in.
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
   * What rules with the name of this very tool are compared with: `phone:camera` for `nodes(phone:camera)`, and for
   * `nodes(phone:*)`, in which `*` stands for any characters.
   */
  | { readonly kind: 'own'; readonly name: string };

/**
 * What a tool itself says against an input: `deny` is refused before anybody is asked, `ask` is asked whatever an allow
 * rule says.
 */
export interface Verdict {
  readonly behavior: 'ask' | 'deny';
  readonly reason: string;
}

/** What is known of a call before it runs: all that rules, modes, guards and people decide by. */
export interface Assessment {
  /** One line for people, such as `Edit src/a.ts`. Default: the tool's name. */
  readonly title?: string | undefined;
  /** Many lines for the person who approves, such as the change; a function is called only where a person is asked. */
  readonly preview?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** What permission rules with a pattern are matched against. Default: see {@link ToolDefinition.targets}. */
  readonly targets?: readonly Target[] | undefined;
  /** Default: by side effect, see {@link ToolDefinition.footprint}. */
  readonly footprint?: Footprint | undefined;
  /** Default: by side effect. */
  readonly risk?: Risk | undefined;
  /** Objection to this input. Default none. */
  readonly verdict?: Verdict | undefined;
  /** Sentences for the person who approves, among the warnings of the question. Default none. */
  readonly notes?: readonly string[] | undefined;
}

/** What a tool asks of the provider that its definition is sent to. */
export interface ToolSending {
  /** Leave it out of what the model reads at first; a tool search of the provider brings it. */
  readonly deferLoading?: boolean;
  /** Send its input while the model writes it, without waiting for what could be checked. */
  readonly eagerInput?: boolean;
}

/** How a tool is written down. The schema decides the type of every `input`. */
export interface ToolDefinition<Schema extends SchemaLike, Metadata extends ToolMetadata = ToolMetadata> {
  /** What the model reads: what the tool does and its critical constraints, in a sentence or two. */
  readonly description: string;
  /** zod 4, zod 3, any Standard Schema, or a plain JSON Schema; an object at the top. Never left out. */
  readonly input?: Schema;
  /** The same by another name. */
  readonly parameters?: Schema;
  /**
   * JSON Schema shown to the model in place of the one derived from `input`; needed for a Standard Schema that cannot
   * describe itself.
   */
  readonly inputJson?: JsonSchemaObject | undefined;
  /**
   * The most the tool ever does; default risk and footprint follow from it. Default: by the gravest of
   * `permissions.required`: execute spawns, network, write mutating, read readonly; without any, network.
   */
  readonly sideEffect?: SideEffect | undefined;
  /**
   * What a host must grant for `registry.enabled(granted)` to hold the tool. Default: the category of its side effect.
   */
  readonly permissions?: ToolPermissions | undefined;
  /** Names for policies, without the `group:` prefix. Default: those of the built-in tool of its name. */
  readonly groups?: readonly string[] | undefined;
  /** What modes, plan mode and guards have to know of it. Default: what the built-in tool of its name states. */
  readonly traits?: ToolTraits | undefined;
  /** Deadline of one call in milliseconds, 0 for none. Default `limits.call.timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Longest output kept in the result, in characters; the rest is spilled. Default `limits.output.maxChars`. */
  readonly maxOutputChars?: number | undefined;
  /**
   * Whether running it twice is the same as once, so that the retry stage may. Default: side effect none or readonly.
   */
  readonly idempotent?: boolean | undefined;
  /**
   * Top-level text fields that are taken literally: a number or boolean for them is an error, never turned into text.
   */
  readonly literalFields?: readonly string[] | undefined;
  /**
   * Inputs as they should be; the first is shown with the message about one that is not valid. A registry refuses the
   * tool where its schema does not take one.
   */
  readonly examples?: readonly SchemaInput<Schema>[] | undefined;
  /**
   * Put it in the place of another tool that has its name, which is a mistake otherwise. Default false.
   */
  readonly replace?: boolean | undefined;
  /** How the definition is to be sent, where a provider can do that. Default: as its others. */
  readonly sending?: ToolSending | undefined;
  /** The MCP server that it calls and the name that it has there; rules for servers go by it. Default: of no server. */
  readonly mcp?: McpOrigin | undefined;
  /**
   * All that is known of a call before it runs, in one place; in place of `title`, `preview`, `targets`, `footprint`,
   * `risk` and `verdict`, which are short for one part each. It must look only: it is asked before permission, and
   * again where the call had to wait.
   */
  assess?(input: SchemaOutput<Schema>, scope: CallScope): Assessment | Promise<Assessment>;
  /** One line for people, such as `Edit src/a.ts`. Default: the tool's name. */
  title?(input: SchemaOutput<Schema>): string;
  /** Many lines for the person who approves: the whole command, the change. */
  preview?(input: SchemaOutput<Schema>, scope: CallScope): string | Promise<string>;
  /**
   * What permission rules with a pattern are matched against. Default: for a tool with the name or an alias of a
   * built-in one what the fields of that one say, else nothing.
   */
  targets?(input: SchemaOutput<Schema>, scope: CallScope): readonly Target[] | Promise<readonly Target[]>;
  /** Default: side effect none or readonly reads everything, network touches nothing, any other writes everything. */
  footprint?(input: SchemaOutput<Schema>, scope: CallScope): Footprint | Promise<Footprint>;
  /** Risk of this input. Default: by side effect. */
  risk?(input: SchemaOutput<Schema>): Risk;
  /** Objection to this input. Default none. */
  verdict?(input: SchemaOutput<Schema>, scope: CallScope): Verdict | undefined | Promise<Verdict | undefined>;
  /** A sentence for the system prompt of a caller who is offered these tools. Default none. */
  advice?(offered: ReadonlySet<string>): string | undefined;
  /**
   * Does the work. Text is short for `{ output: text }`; throw a ToolError to fail with a code. Anything else fails the
   * call with an error that names the field, and so does a foreign field of a result, such as `isError`. An object as
   * `output` becomes JSON text.
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
  /** What its definition says of this input, by `assess` or part by part. */
  assess(input: Input, scope: CallScope): CallAssessment | Promise<CallAssessment>;
  /** Risk of an input before there is a call of it; by side effect where the tool assesses it only later. */
  riskOf(input: Input): Risk;
  adviceOf?(offered: ReadonlySet<string>): string | undefined;
  execute(input: Input, context: ToolContext): Promise<ToolResult<Metadata>>;
  /**
   * Makes the tool that takes this one's place; only on tools that are made on first use. A registry calls it once, for
   * itself and its clones, when it is made ready or by the first turn that runs over it, and again only after it
   * failed. Until then the tool is not listed, and a call of it answers `execution_failed` with the reason.
   */
  readonly init?: (context: ToolInitContext) => Promise<Tool>;
}

/** What an init function gets. */
export interface ToolInitContext {
  /** The working directory that the registry was made with: in a toolkit, its root. */
  readonly cwd: string;
  /** The same. */
  readonly workingDir: string;
}

/** Writes a tool down when it is first needed: to look at a folder, to load a file, to ask a server. */
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

/** The same types under the names `Tool.Info`, `Tool.Definition` and so on. */
export declare namespace Tool {
  type Info<Schema extends SchemaLike = SchemaLike, M extends Metadata = Metadata> = Tool<SchemaOutput<Schema>, M>;
  type Definition<Schema extends SchemaLike, M extends Metadata = Metadata> = ToolDefinition<Schema, M>;
  type Context<_M extends Metadata = Metadata> = NamedToolContext;
  type Result<M extends Metadata = Metadata> = ToolResult<M>;
  type Metadata = ToolMetadata;
}
