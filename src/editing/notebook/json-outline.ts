import type { Span } from '../match/exact.js';
import type { YieldToLoop } from '../match/line-counter.js';
import { type JsonMember, type JsonNode, valueAt } from './json-node.js';
import { escapeAt, plainEnd } from './json-scalar.js';

/** What is wrong with a text that should be JSON, and where. */
export interface JsonError {
  readonly position: number;
  readonly message: string;
}

/** The places of some values of a JSON text. */
export interface JsonOutline {
  readonly root: JsonNode;
  /** Some string writes a character beyond ASCII as an escape. */
  readonly escapesLetters: boolean;
}

/**
 * Whether to outline what a container holds, by the number of containers around it and the name in the outermost one.
 */
export type WantsChildren = (depth: number, topName: string | undefined) => boolean;

const stepBytes = 1_048_576;

/**
 * Reads the JSON text (RFC 8259, UTF-8) in a range of bytes and tells where its values stand, or what is wrong first
 * and at which byte. However deep the text is, this does not recurse; however long, it gives way now and then.
 */
export async function outlineJson(
  bytes: Buffer,
  { start, end }: Span,
  wants: WantsChildren,
  yieldToLoop: YieldToLoop,
): Promise<JsonOutline | JsonError> {
  const reader = new OutlineReader(bytes, { start, end }, wants);
  for (let until = start + stepBytes; ; until += stepBytes) {
    const result = reader.readUntil(until);
    if (result !== undefined) return result;
    await yieldToLoop();
  }
}

/** The first error of a JSON text, at a place in UTF-16 units; undefined when there is none. */
export function jsonError(text: string): JsonError | undefined {
  const bytes = Buffer.from(text);
  const start = text.startsWith('\ufeff') ? 3 : 0;
  const result = new OutlineReader(bytes, { start, end: bytes.length }, () => false).readUntil(bytes.length);
  if (result === undefined || !('message' in result)) return undefined;
  return { ...result, position: bytes.toString('utf8', 0, result.position).length };
}

interface DraftNode {
  readonly kind: JsonNode['kind'];
  readonly start: number;
  end: number;
  readonly members: JsonMember[];
  readonly items: JsonNode[];
}

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or ]' | ', or }' | 'the end';

const maxDepth = 100_000;
const maxNodes = 2_000_000;
const none: never[] = [];
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

class OutlineReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  readonly #wants: WantsChildren;
  /** What each open container ends with. */
  readonly #closers: number[] = [];
  /** The outermost open containers, as far as they are outlined. */
  readonly #outlined: DraftNode[] = [];
  #at: number;
  #expected: Expected = 'value';
  #root: DraftNode | undefined;
  #name: { readonly name: string; readonly key: Span } | undefined;
  #topName: string | undefined;
  /** The newest node, in each outlined container and outside of all. */
  readonly #newest: DraftNode[] = [];
  #nodes = 0;
  /** Start of the string that is being read. */
  #string: number | undefined;
  #escapesLetters = false;

  constructor(bytes: Buffer, { start, end }: Span, wants: WantsChildren) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#wants = wants;
  }

  /** Reads on to about that byte; undefined when there is more. */
  readUntil(until: number): JsonOutline | JsonError | undefined {
    const stop = Math.min(until, this.#end);
    while (this.#at < stop) {
      const error = this.#string === undefined ? this.#readToken() : this.#readString(stop);
      if (error !== undefined) return error;
    }
    if (this.#at < this.#end) return undefined;
    if (this.#string !== undefined) return { position: this.#string, message: 'the end of this string expected' };
    if (this.#expected !== 'the end' || this.#root === undefined)
      return { position: this.#at, message: `${this.#expected} expected` };
    return { root: this.#root, escapesLetters: this.#escapesLetters };
  }

  #readToken(): JsonError | undefined {
    const byte = this.#bytes[this.#at] ?? 0;
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
      this.#at++;
      return undefined;
    }
    const expected = this.#expected;
    if (byte === comma && expected === ', or ]') return this.#step('value');
    if (byte === comma && expected === ', or }') return this.#step('name');
    if (byte === colon && expected === ':') return this.#step('value');
    if (byte === closeArray && (expected === 'value or ]' || expected === ', or ]')) return this.#close();
    if (byte === closeObject && (expected === 'name or }' || expected === ', or }')) return this.#close();
    if (expected === 'value' || expected === 'value or ]') return this.#readValue(byte);
    if (byte !== quote || (expected !== 'name' && expected !== 'name or }')) return this.#fail();
    return this.#beginString();
  }

  #readValue(byte: number): JsonError | undefined {
    if (this.#nodes >= maxNodes) return this.#fail(`at most ${maxNodes} cells and fields expected`);
    if (byte === openArray || byte === openObject) return this.#open(byte);
    if (byte === quote) {
      this.#begin('scalar');
      return this.#beginString();
    }
    const end = plainEnd(this.#bytes, this.#at, this.#end);
    if (end === undefined) return this.#fail();
    this.#begin('scalar');
    this.#at = end;
    return this.#finish();
  }

  #beginString(): JsonError | undefined {
    this.#string = this.#at;
    this.#at++;
    return undefined;
  }

  #readString(stop: number): JsonError | undefined {
    const bytes = this.#bytes;
    let at = this.#at;
    let byte = bytes[at] ?? 0;
    while (at < stop && byte >= 0x20 && byte !== quote && byte !== backslash) byte = bytes[++at] ?? 0;
    this.#at = at;
    if (at >= stop) return undefined;
    if (byte === backslash) return this.#readEscape();
    if (byte !== quote) return this.#fail('an escape in place of this control character expected');
    const start = this.#string ?? at;
    this.#string = undefined;
    this.#at++;
    const isName = this.#expected === 'name' || this.#expected === 'name or }';
    return isName ? this.#finishName({ start, end: this.#at }) : this.#finish();
  }

  #readEscape(): JsonError | undefined {
    const found = escapeAt(this.#bytes, this.#at, this.#end);
    if (found === undefined) return this.#fail('an escape that JSON knows expected');
    if ((found.code ?? 0) > 0x7f) this.#escapesLetters = true;
    this.#at += found.length;
    return undefined;
  }

  #finishName(key: Span): JsonError | undefined {
    this.#expected = ':';
    if (this.#outlinedParent() === undefined) return undefined;
    this.#name = { name: String(valueAt(this.#bytes, key)), key };
    if (this.#closers.length === 1) this.#topName = this.#name.name;
    return undefined;
  }

  #open(byte: number): JsonError | undefined {
    const isArray = byte === openArray;
    const depth = this.#closers.length;
    if (depth >= maxDepth) return this.#fail(`at most ${maxDepth} levels of brackets expected`);
    const node = this.#begin(isArray ? 'array' : 'object');
    this.#closers.push(isArray ? closeArray : closeObject);
    if (node !== undefined && this.#wants(depth, this.#topName)) this.#outlined.push(node);
    return this.#step(isArray ? 'value or ]' : 'name or }');
  }

  #close(): JsonError | undefined {
    if (this.#outlined.length === this.#closers.length) this.#outlined.pop();
    this.#closers.pop();
    this.#at++;
    return this.#finish();
  }

  // Only a value that stands in an outlined container, or in none, gets a node.
  #begin(kind: JsonNode['kind']): DraftNode | undefined {
    const parent = this.#outlinedParent();
    if (parent === undefined && this.#closers.length > 0) return undefined;
    this.#nodes++;
    const children = kind === 'scalar' ? { members: none, items: none } : { members: [], items: [] };
    const node: DraftNode = { kind, start: this.#at, end: 0, ...children };
    if (parent === undefined) this.#root = node;
    else if (parent.kind === 'array') parent.items.push(node);
    else if (this.#name !== undefined) parent.members.push({ ...this.#name, value: node });
    this.#newest[this.#closers.length] = node;
    return node;
  }

  #finish(): JsonError | undefined {
    const depth = this.#closers.length;
    this.#expected = depth === 0 ? 'the end' : this.#closers[depth - 1] === closeArray ? ', or ]' : ', or }';
    const node = depth === 0 || this.#outlinedParent() !== undefined ? this.#newest[depth] : undefined;
    if (node !== undefined) node.end = this.#at;
    return undefined;
  }

  #outlinedParent(): DraftNode | undefined {
    return this.#outlined.length === this.#closers.length ? this.#outlined.at(-1) : undefined;
  }

  #step(expected: Expected): JsonError | undefined {
    this.#expected = expected;
    this.#at++;
    return undefined;
  }

  #fail(message = `${this.#expected} expected`): JsonError {
    return { position: this.#at, message };
  }
}
