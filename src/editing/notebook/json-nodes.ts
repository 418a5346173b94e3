import { type Node, type ParseErrorCode, parseTree, printParseErrorCode, visit } from 'jsonc-parser';

/** A value in a JSON text, or a member of an object, whose children are its name and value. Offsets are in UTF-16. */
export type JsonNode = Node;

/** A syntax error in JSON text and its position; lines and columns count from 1. */
export interface JsonError {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The parser is recursive, so the depth is limited. */
const maxDepth = 1_000;

/** The first error of a JSON text (RFC 8259), if any. `comments` allows comments and trailing commas. */
export function jsonError(text: string, { comments = false } = {}): JsonError | undefined {
  let found: JsonError | undefined;
  let depth = 0;
  const note = (message: string, line: number, column: number) => {
    found ??= { line: line + 1, column: column + 1, message };
  };
  const open = (_offset: number, _length: number, line: number, column: number) => {
    if (++depth > maxDepth) note(`at most ${maxDepth} levels of nesting expected`, line, column);
    // Returning false would not stop the parser: it would still parse the content of the value.
    if (depth > maxDepth) throw tooDeep;
  };
  const close = () => void depth--;
  try {
    visit(
      text,
      {
        onObjectBegin: open,
        onArrayBegin: open,
        onObjectEnd: close,
        onArrayEnd: close,
        onError: (code, _offset, _length, line, column) => note(wordsOf(code), line, column),
      },
      { disallowComments: !comments, allowTrailingComma: comments },
    );
  } catch (thrown) {
    if (thrown !== tooDeep) throw thrown;
  }
  return found;
}

const tooDeep = new Error('nested too deep');

function wordsOf(code: ParseErrorCode): string {
  return printParseErrorCode(code)
    .replace(/(?<!^)[A-Z]/g, ' $&')
    .toLowerCase();
}

/** Parses a text that is known to be valid JSON. */
export function jsonTree(text: string): JsonNode | undefined {
  return parseTree(text);
}

/** The member with a name; the last one if the name is repeated. */
export function memberOf(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return membersOf(node).findLast((member) => nameOf(member) === name);
}

/** The value at a path of names. */
export function valueAt(node: JsonNode | undefined, ...names: readonly string[]): JsonNode | undefined {
  return names.reduce((value, name) => memberOf(value, name)?.children?.[1], node);
}

/** The members of an object in order, including repeated names. */
export function membersOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.type === 'object' ? (node.children ?? []) : [];
}

export function nameOf(member: JsonNode): string {
  return String(member.children?.[0]?.value);
}

export function endOf({ offset, length }: JsonNode): number {
  return offset + length;
}

export function writtenOf(text: string, node: JsonNode): string {
  return text.slice(node.offset, endOf(node));
}
