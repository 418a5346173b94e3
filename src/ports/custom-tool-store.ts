import type { JsonSchemaObject } from '../core/schema/json-schema.js';

/** A tool that runs a command line, as JSON. Null is as good as left out. */
export interface CustomToolDefinition {
  /** A letter, then up to 63 letters, digits, `_` and `-`; no name or alias of a built-in tool. */
  readonly name: string;
  /** What the model reads. */
  readonly description: string;
  /** JSON Schema of the arguments, an object at the top. */
  readonly parameters: JsonSchemaObject;
  /**
   * A line for `sh`. `{{.key}}` becomes an argument as one word, or as part of one: text as it is, lists and objects as
   * JSON, the empty word where an optional one is missing.
   */
  readonly command: string;
  /** Whole seconds until it is ended, 1 to 600, and never more than `limits.bash.maxTimeoutMs`. Default 60. */
  readonly timeout_seconds?: number | null | undefined;
  /** Absolute, or from the root of the toolkit. Default: the root. */
  readonly working_dir?: string | null | undefined;
  /** Variables for the command. Their values are secret: they are shown nowhere. Default none. */
  readonly env?: Readonly<Record<string, string>> | null | undefined;
  /** False: it is not offered, and a call answers `not_allowed`. Default true. */
  readonly enabled?: boolean | null | undefined;
  /** The agent that it belongs to. Default: every agent has it. */
  readonly agent_id?: string | null | undefined;
}

/** A definition as a store keeps it. */
export interface StoredCustomTool {
  /** A UUID. */
  readonly id: string;
  /** Another after each change. */
  readonly version: string;
  readonly definition: CustomToolDefinition;
  /** Why its secrets do not open. `enabled` is false then, and `env` is left out. Default: they do. */
  readonly problem?: string | undefined;
}

/** Which row a definition is put in. */
export interface PutCustomTool {
  /** That of the tool that changes, which may get another name. Default: that of its name and agent, or a new one. */
  readonly id?: string | undefined;
  /** The version that it must have; null where there must be none yet. Default: whatever is there is replaced. */
  readonly expected?: string | null | undefined;
}

/** Definitions of custom tools, each of one agent or of all. */
export interface CustomToolStore {
  /** Those of an agent alone; without one, those that all agents have. By name. */
  list(owner: { readonly agentId?: string | undefined }): Promise<readonly StoredCustomTool[]>;
  get(id: string): Promise<StoredCustomTool | undefined>;
  /**
   * Keeps a definition, and answers what is kept. Rejects with a TypeError that names the field for one that is not right, with `not_configured`
   * for secrets where the store has no box, and with `file_changed` for another version than was expected.
   */
  put(definition: CustomToolDefinition, how?: PutCustomTool): Promise<StoredCustomTool>;
  /** False when there was none. Rejects with `file_changed` for another version than was expected. */
  remove(id: string, how?: { readonly expected?: string | undefined }): Promise<boolean>;
  /** Another after each change of any tool. */
  version(): Promise<string>;
}
