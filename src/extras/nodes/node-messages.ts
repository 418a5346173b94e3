import type { JsonSchemaObject } from '../../core/schema/json-schema.js';
import { objectSchema } from '../../core/schema/mend-schema.js';
import { isRecord } from '../../core/support/check-values.js';
import { type NodeCommand, nodeNameForm } from './node-directory.js';

/** The first message of a node. */
export interface NodeHello {
  readonly token: string;
  readonly name: string;
  readonly commands: readonly NodeCommand[];
}

/** The result of an invocation. */
export interface NodeAnswer {
  readonly id: string;
  readonly ok: boolean;
  readonly output: unknown;
  /** The reason of a failure; undefined if the node gives none. */
  readonly error: string | undefined;
}

/** A violation of the protocol; the node gets its text. */
export class NodeMistake extends Error {
  override readonly name = 'NodeMistake';
}

const maxCommands = 100;
const maxDescriptionChars = 2_000;

/** Parses the first message of a node. Throws a {@link NodeMistake}. The caller must check the token. */
export function readHello(text: string): NodeHello {
  const { type, token, name, commands = [] } = readObject(text);
  if (type !== 'hello' || typeof token !== 'string') throw new NodeMistake('the first message must be a hello');
  if (!isName(name)) throw new NodeMistake('the name takes letters, digits, _ . and -, at most 64');
  if (!Array.isArray(commands) || commands.length > maxCommands)
    throw new NodeMistake(`commands must be a list of at most ${maxCommands}`);
  const read = commands.map(readCommand);
  if (new Set(read.map((one) => one.name)).size < read.length) throw new NodeMistake('two commands have one name');
  return { token, name, commands: read };
}

/** Parses a later message of a node. Throws a {@link NodeMistake}. */
export function readNodeAnswer(text: string): NodeAnswer {
  const { type, id, ok, output, error } = readObject(text);
  if (type !== 'result' || typeof id !== 'string' || typeof ok !== 'boolean')
    throw new NodeMistake('only results may follow the hello');
  return { id, ok, output, error: typeof error === 'string' ? error : undefined };
}

function readCommand(command: unknown): NodeCommand {
  const { name, description = '', inputSchema = { type: 'object' } } = isRecord(command) ? command : {};
  if (!isName(name)) throw new NodeMistake('a command has no name of letters, digits, _ . and -, at most 64');
  const schema: JsonSchemaObject | undefined = objectSchema(inputSchema);
  if (schema === undefined) throw new NodeMistake(`inputSchema of ${name} is no schema of an object`);
  const about = typeof description === 'string' ? description.slice(0, maxDescriptionChars) : '';
  return { name, description: about, inputSchema: schema };
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Reported below.
  }
  if (!isRecord(value)) throw new NodeMistake('messages are JSON objects');
  return value;
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && nodeNameForm.test(name);
}
