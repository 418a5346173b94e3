import {
  applyEdits,
  type Edit,
  type Node,
  type ParseErrorCode,
  parseTree,
  printParseErrorCode,
  visit,
} from 'jsonc-parser';

/** A value of a JSON text, or a member of an object with its name and value as children, in UTF-16 offsets. */
export type JsonNode = Node;

/** A stretch of a text, and what comes in its place. */
export type TextEdit = Edit;

/** What is wrong with a text that should be JSON, and where; lines and columns count from 1. */
export interface JsonError {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The parser calls itself for each level. */
const maxDepth = 1_000;

/** The first error of a JSON text (RFC 8259); undefined when there is none. `comments` allows them, and trailing commas. */
export function jsonError(text: string, { comments = false } = {}): JsonError | undefined {
  let found: JsonError | undefined;
  let depth = 0;
  const note = (message: string, line: number, column: number) => {
    found ??= { line: line + 1, column: column + 1, message };
  };
  const open = (_offset: number, _length: number, line: number, column: number) => {
    if (++depth > maxDepth) note(`at most ${maxDepth} levels of nesting expected`, line, column);
    // What stands inside is not visited where this returns false, but still parsed.
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

/** `CommaExpected` as "comma expected". */
function wordsOf(code: ParseErrorCode): string {
  return printParseErrorCode(code)
    .replace(/(?<!^)[A-Z]/g, ' $&')
    .toLowerCase();
}

/** The values of a text that is known to be JSON. */
export function jsonTree(text: string): JsonNode | undefined {
  return parseTree(text);
}

/** A text with its edits made, which do not overlap; of those at one place the first comes first. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  return applyEdits(text, [...edits]);
}

/** The member that counts where a name comes twice: the last. */
export function memberOf(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return membersOf(node).findLast((member) => nameOf(member) === name);
}

/** The value behind a path of names. */
export function valueAt(node: JsonNode | undefined, ...names: readonly string[]): JsonNode | undefined {
  return names.reduce((value, name) => memberOf(value, name)?.children?.[1], node);
}

/** The members of an object, in order, names that come twice included. */
export function membersOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.type === 'object' ? (node.children ?? []) : [];
}

/** The name of a member. */
export function nameOf(member: JsonNode): string {
  return String(member.children?.[0]?.value);
}

/** Where a node ends. */
export function endOf({ offset, length }: JsonNode): number {
  return offset + length;
}

/** The text of a node, as it is written. */
export function writtenOf(text: string, node: JsonNode): string {
  return text.slice(node.offset, endOf(node));
}
