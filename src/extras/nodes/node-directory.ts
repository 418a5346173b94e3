import type { CallScope } from '../../core/context.js';
import type { JsonSchemaObject } from '../../core/schema/json-schema.js';

/** One thing that a node can do. */
export interface NodeCommand {
  /** Letters, digits, `_`, `.` and `-`; at most 64. */
  readonly name: string;
  /** What it does, in the words of the node; may be empty. */
  readonly description: string;
  /** JSON Schema of the object that it takes. */
  readonly inputSchema: JsonSchemaObject;
}

/** A device that carries out commands, such as a phone. */
export interface NodeView {
  /** Letters, digits, `_`, `.` and `-`; at most 64. */
  readonly name: string;
  /** Whether it can be reached now; one that cannot may come back. */
  readonly isConnected: boolean;
  readonly commands: readonly NodeCommand[];
}

/** What one node is to carry out. */
export interface NodeRequest {
  readonly node: string;
  readonly command: string;
  /** As the schema of the command wants it. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** The devices that agents may use. */
export interface NodeDirectory {
  nodes(scope: CallScope): Promise<readonly NodeView[]> | readonly NodeView[];
  /**
   * What the node answers, of which JSON can hold everything. Rejects with a ToolError: `network_failed` for a node that
   * is not connected or goes away meanwhile, `execution_failed` for a command that fails there.
   */
  invoke(request: NodeRequest, scope: CallScope): Promise<unknown> | unknown;
}

/** A name of a node or a command: rules such as `nodes(phone:camera)` can name both. */
export const nodeNameForm = /^[\w.-]{1,64}$/;
