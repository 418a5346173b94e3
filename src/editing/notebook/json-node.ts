import type { Span } from '../match/exact.js';

/** A value of a JSON text and where it stands, in bytes. */
export interface JsonNode extends Span {
  readonly kind: 'object' | 'array' | 'scalar';
  /** What an outlined object holds, in order, names that come twice included; else empty. */
  readonly members: readonly JsonMember[];
  /** What an outlined array holds; else empty. */
  readonly items: readonly JsonNode[];
}

/** A name in an object and its value. */
export interface JsonMember {
  readonly name: string;
  /** With its quotes. */
  readonly key: Span;
  readonly value: JsonNode;
}

/** The text of a range of bytes. */
export function rawText(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('utf8', start, end);
}

/** The value in a range that is known to be JSON. */
export function valueAt(bytes: Buffer, { start, end }: Span): unknown {
  return JSON.parse(rawText(bytes, start, end));
}

/** The member of an object that counts where a name comes twice: the last. */
export function memberOf(node: JsonNode, name: string): JsonMember | undefined {
  return node.members.findLast((member) => member.name === name);
}
