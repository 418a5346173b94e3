import type { CallScope } from '../../core/context.js';
import type { JsonSchemaObject } from '../../core/schema/json-schema.js';

/** A command of a node. */
export interface NodeCommand {
  /** Letters, digits, `_`, `.` and `-`; at most 64. */
  readonly name: string;
  /** The description that the node gives; may be empty. */
  readonly description: string;
  /** JSON Schema of the input. The input is an object. */
  readonly inputSchema: JsonSchemaObject;
}

/** A device that runs commands, such as a phone. */
export interface NodeView {
  /** Letters, digits, `_`, `.` and `-`; at most 64. */
  readonly name: string;
  /** Whether the node is connected now; a disconnected node may reconnect. */
  readonly isConnected: boolean;
  readonly commands: readonly NodeCommand[];
}

/** A request to a node. */
export interface NodeRequest {
  readonly node: string;
  readonly command: string;
  /** Already checked against the schema of the command. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** The devices that agents may use. */
export interface NodeDirectory {
  nodes(scope: CallScope): Promise<readonly NodeView[]> | readonly NodeView[];
  /**
   * Resolves with a JSON value. Rejects with `network_failed` if the node is not connected, and with `execution_failed`
   * if the command fails.
   */
  invoke(request: NodeRequest, scope: CallScope): Promise<unknown> | unknown;
}

/** The form of node and command names, so that rules such as `nodes(phone:camera)` can contain them. */
export const nodeNameForm = /^[\w.-]{1,64}$/;
