import type { JsonSchemaObject } from '../../core/schema/json-schema.js';
import { objectSchema } from '../../core/schema/mend-schema.js';
import { isRecord } from '../../core/support/is-record.js';
import { type NodeCommand, nodeNameForm } from './node-directory.js';

/** What a node says of itself. */
export interface NodeHello {
  readonly token: string;
  readonly name: string;
  readonly commands: readonly NodeCommand[];
}

/** What a node answers to an invocation. */
export interface NodeAnswer {
  readonly id: string;
  readonly ok: boolean;
  readonly output: unknown;
  /** Why it failed; undefined where the node does not say. */
  readonly error: string | undefined;
}

/** A message that breaks the protocol; its text goes back to the node. */
export class NodeMistake extends Error {
  override readonly name = 'NodeMistake';
}

const maxCommands = 100;
const maxDescriptionChars = 2_000;

/** Reads the first message of a node. Throws a {@link NodeMistake}; the token is the caller's to check. */
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

/** Reads what a node sends later. Throws a {@link NodeMistake}. */
export function readAnswer(text: string): NodeAnswer {
  const { type, id, ok, output, error } = readObject(text);
  if (type !== 'result' || typeof id !== 'string' || typeof ok !== 'boolean')
    throw new NodeMistake('after the hello come results alone');
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
    // Said below.
  }
  if (!isRecord(value)) throw new NodeMistake('messages are JSON objects');
  return value;
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && nodeNameForm.test(name);
}
