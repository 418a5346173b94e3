import { ToolError } from '../core/error.js';
import type { CustomToolDefinition } from './custom-tool-definition.js';

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
   * Keeps a definition. Rejects with a TypeError that names the field for one that is not right, with `not_configured`
   * for secrets where the store has no box, and with `file_changed` for another version than was expected.
   */
  put(
    definition: CustomToolDefinition,
    how?: PutCustomTool,
  ): Promise<{ readonly id: string; readonly version: string }>;
  /** False when there was none. */
  remove(id: string): Promise<boolean>;
  /** Another after each change of any tool. */
  version(): Promise<string>;
}

/** The channel of a {@link ChangeBus} that tells of changes of custom tools. */
export const customToolsChannel = 'cache:custom_tools';

/** What the variables of a custom tool are sealed for: they open for this tool alone. */
export function placeOfEnv(id: string): string {
  return `custom_tools/${id}/env`;
}

/** The error for a tool that somebody else has changed since it was read. */
export function changedTool(name: string): ToolError {
  const message = `The custom tool ${name} is not the one that was read. Read it again, then repeat the change.`;
  return new ToolError('file_changed', message);
}
