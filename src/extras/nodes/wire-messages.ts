import type { ZodMiniType } from 'zod/v4/mini';
import {
  anything,
  byName,
  choice,
  flag,
  inputObject,
  list,
  optional,
  text,
  withRule,
} from '../../core/schema/fields.js';
import { objectSchema } from '../../core/schema/mend.js';
import { ifPossible, isRecord } from '../../core/support/check-values.js';
import { lazily } from '../../core/support/once.js';
import { type NodeCommand, type NodeView, nodeNameForm } from './directory.js';

/** The first message of a node. */
export type NodeHello = ReturnType<typeof readHello>;

/** A violation of the protocol. The message of this error is sent to the node. */
export class NodeMistake extends Error {
  override readonly name = 'NodeMistake';
}

const maxDescriptionChars = 2_000;

const name = () =>
  withRule(text(), (value) => nodeNameForm.test(value), 'expected letters, digits, _ . and -, at most 64');
const command = () => inputObject({ name: name(), description: optional(text()), inputSchema: optional(anything()) });
const nodeList = lazily(() => {
  const command = inputObject({ name: name(), description: text(), inputSchema: byName(anything()) });
  return list(inputObject({ name: name(), commands: list(command) }));
});
const helloSchema = lazily(() => {
  const commands = optional(list(command(), undefined, { maxItems: 100 }));
  return inputObject({ type: choice(['hello']), token: text(), name: name(), commands });
});
const answerSchema = lazily(() => {
  const more = { output: optional(anything()), error: optional(anything()) };
  return inputObject({ type: choice(['result']), id: text(), ok: flag(), ...more });
});

/** Whether the answer of a directory is a valid list of nodes. */
export const areNodes = (nodes: readonly NodeView[]): boolean => nodeList().safeParse(nodes).success;

/** Parses the first message of a node. Throws a {@link NodeMistake}. The caller must check the token. */
export function readHello(message: string) {
  const { token, name, commands = [] } = read(helloSchema(), message, 'the first message must be a hello');
  const known = commands.map(({ name, description = '', inputSchema = { type: 'object' } }): NodeCommand => {
    const schema = objectSchema(inputSchema);
    if (schema === undefined) throw new NodeMistake(`inputSchema of ${name} is not the schema of an object`);
    return { name, description: description.slice(0, maxDescriptionChars), inputSchema: schema };
  });
  if (new Set(known.map((one) => one.name)).size < known.length) throw new NodeMistake('two commands have one name');
  return { token, name, commands: known };
}

/** Parses a later message of a node, the result of an invocation. Throws a {@link NodeMistake}. */
export function readNodeAnswer(message: string) {
  const { id, ok, output, error } = read(answerSchema(), message, 'only results may follow the hello');
  return { id, ok, output, error: typeof error === 'string' ? error : undefined };
}

function read<Message>(schema: ZodMiniType<Message>, message: string, expected: string): Message {
  const value: unknown = ifPossible(() => JSON.parse(message));
  if (!isRecord(value)) throw new NodeMistake('messages are JSON objects');
  const { data, error } = schema.safeParse(value);
  const [issue] = error?.issues ?? [];
  if (issue !== undefined) throw new NodeMistake(`${expected}: ${issue.path.join('.')}: ${issue.message}`);
  return data as Message;
}
