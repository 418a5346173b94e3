import type { JsonSchemaObject } from '../core/schema/json-schema.js';

/** A tool that runs a command line, as JSON. A null field counts as absent. */
export interface CustomToolDefinition {
  /** A letter, then up to 63 letters, digits, `_` and `-`. Must not be a name or alias of a built-in tool. */
  readonly name: string;
  /** The description for the model. */
  readonly description: string;
  /** JSON Schema of the arguments, an object at the top. */
  readonly parameters: JsonSchemaObject;
  /**
   * A command line for `sh`. `{{.key}}` is replaced by the argument `key`, quoted as one word or as part of a word.
   * Text is used unchanged, lists and objects become JSON, and a missing optional argument becomes an empty text.
   */
  readonly command: string;
  /** Time limit in whole seconds, 1 to 600, and at most `limits.bash.maxTimeoutMs`. Default 60. */
  readonly timeout_seconds?: number | null | undefined;
  /** A path, absolute or relative to the root of the toolkit. Default: the root. */
  readonly working_dir?: string | null | undefined;
  /** Environment variables of the command. Their values are secret and never shown. Default none. */
  readonly env?: Readonly<Record<string, string>> | null | undefined;
  /** False: the tool is not offered, and a call fails with `not_allowed`. Default true. */
  readonly enabled?: boolean | null | undefined;
  /** The agent that has the tool. Default: all agents. */
  readonly agent_id?: string | null | undefined;
}

/** A stored definition. */
export interface StoredCustomTool {
  /** A UUID. */
  readonly id: string;
  /** Changes with each change of this tool. */
  readonly version: string;
  readonly definition: CustomToolDefinition;
  /** Why the secrets cannot be decrypted; `enabled` is then false, and `env` absent. Default: no problem. */
  readonly problem?: string | undefined;
}

/** Selects the row in which a definition is stored. */
export interface PutCustomTool {
  /**
   * The id of an existing row; the definition may have a new name. Default: the row with the name and the agent of the
   * definition, or a new row.
   */
  readonly id?: string | undefined;
  /** The current version that is required, or null if there must be no row yet. Default: any row is replaced. */
  readonly expected?: string | null | undefined;
}

/** Definitions of custom tools, each for one agent or for all agents. */
export interface CustomToolStore {
  /** The tools that only one agent has; without `agentId`, the tools that all agents have. Sorted by name. */
  list(owner: { readonly agentId?: string | undefined }): Promise<readonly StoredCustomTool[]>;
  get(id: string): Promise<StoredCustomTool | undefined>;
  /**
   * Resolves with the stored tool. Rejects with a TypeError that names the field of an invalid definition, with
   * `not_configured` for secrets without encryption, and with `file_changed` if another version was expected.
   */
  put(definition: CustomToolDefinition, how?: PutCustomTool): Promise<StoredCustomTool>;
  /** False if there was no such tool. Rejects with `file_changed` if another version was expected. */
  remove(id: string, how?: { readonly expected?: string | undefined }): Promise<boolean>;
  /** Changes with each change of any tool. */
  version(): Promise<string>;
}
