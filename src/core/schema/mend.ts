import { isRecord } from '../support/check-values.js';
import { withoutContradictions } from './contradictions.js';
import type { JsonSchemaObject } from './json-schema.js';
import {
  keywordFits,
  looser,
  partOf,
  pointerSegments,
  schemaLists,
  schemaMaps,
  singleSchemas,
  typesIn,
} from './keywords.js';
import { isLinearPattern, patternFlag } from './patterns.js';

/** A valid schema of draft 2020-12 whose references are only `#`, `#/$defs/…` and `#/definitions/…`. */
export interface MendedSchema {
  readonly schema: JsonSchemaObject;
  /** One line for each part that was changed or left out. */
  readonly notes: readonly string[];
  /** The first reference that leads out of the schema. */
  readonly outside: string | undefined;
}

type Path = readonly string[];

const identities = ['$schema', '$async', '$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor', 'nullable'];
const maxDepth = 500;
const maxHops = 10;
/** Bounds time and size, because the targets of references are copied. A pattern counts as one or more parts. */
const maxParts = 5_000;
const start = 'schema:///';

/**
 * Converts a schema of any draft, even an invalid schema, into a schema that inputs can be checked against. Invalid
 * parts are left out, so the mended schema never accepts fewer inputs than the given schema. With `linearOnly`,
 * patterns that need backtracking are left out too. Never throws.
 */
export function mendSchema(schema: JsonSchemaObject, linearOnly = false): MendedSchema {
  return new Mender(schema, linearOnly).mended();
}

/** Gives a schema the type object, which inputs always have; undefined for a schema of another type. */
export function objectSchema(schema: unknown): JsonSchemaObject | undefined {
  if (!isRecord(schema)) return undefined;
  const { type, ...rest } = schema;
  const types = typesIn(type);
  return types.length === 0 || types.includes('object') ? { type: 'object', ...rest } : undefined;
}

class Mender {
  readonly #root: JsonSchemaObject;
  readonly #linearOnly: boolean;
  readonly #notes = new Set<string>();
  readonly #resources = new Map<string, Path>([[start, []]]);
  readonly #anchors = new Map<string, Path>();
  /** Targets of references that are not in `$defs` or `definitions`, by their new name in `$defs`. */
  readonly #moved = new Map<string, Path>();
  readonly #bases = new Map<unknown, string>();
  readonly #circular = new Map<string, boolean>();
  #parts = 0;
  #outside: string | undefined;
  #hasNestedIds = false;

  constructor(root: JsonSchemaObject, linearOnly: boolean) {
    this.#root = root;
    this.#linearOnly = linearOnly;
  }

  mended(): MendedSchema {
    this.#index(this.#root, start, []);
    const { $defs, ...whole } = this.#node(this.#root, start, []) as JsonSchemaObject;
    const moved: [string, unknown][] = [];
    for (const [name, path] of this.#moved)
      moved.push([name, this.#node(this.#at(path), this.#baseOf(path.slice(0, -1)), path)]);
    const definitions = Object.fromEntries([...Object.entries($defs ?? {}), ...moved]);
    const schema = $defs === undefined && moved.length === 0 ? whole : { ...whole, $defs: definitions };
    return { schema, notes: [...this.#notes], outside: this.#outside };
  }

  /** Collects the ids and anchors that references may name. */
  #index(node: unknown, outer: string, path: Path): void {
    if (!isRecord(node) || path.length > maxDepth || this.#bases.size > maxParts) return;
    const base = baseWithin(node, outer);
    this.#hasNestedIds ||= base !== outer && path.length > 0;
    this.#bases.set(node, base);
    const { $id, $anchor, $dynamicAnchor } = node;
    if (base !== outer && this.#resources.has(base)) this.#note(path, `$id ${base} is used twice`);
    else this.#resources.set(base, base === outer ? (this.#resources.get(base) ?? path) : path);
    const name = typeof $id === 'string' && $id.startsWith('#') ? $id.slice(1) : undefined;
    for (const anchor of [$anchor, $dynamicAnchor, name])
      if (typeof anchor === 'string' && !this.#anchors.has(`${base}#${anchor}`))
        this.#anchors.set(`${base}#${anchor}`, path);
    for (const [keyword, value] of Object.entries(node)) {
      const isMany = schemaMaps.has(keyword) || schemaLists.has(keyword) || Array.isArray(value);
      if (isMany && typeof value === 'object' && value !== null && keyword !== 'enum' && keyword !== 'examples')
        for (const [key, part] of Object.entries(value)) this.#index(part, base, [...path, keyword, key]);
      else if (singleSchemas.has(keyword)) this.#index(value, base, [...path, keyword]);
    }
  }

  #node(given: unknown, outer: string, path: Path): JsonSchemaObject | boolean {
    if (typeof given === 'boolean') return given;
    if (!isRecord(given) || path.length > maxDepth) {
      this.#note(path, isRecord(given) ? 'it is nested too deeply' : 'it is not a JSON Schema');
      return {};
    }
    if (++this.#parts > maxParts) {
      this.#note([], 'it is too large to be read completely');
      return {};
    }
    const base = baseWithin(given, outer);
    const kept: [string, unknown][] = [];
    let isOpened = false;
    for (const written of Object.keys(given)) {
      for (const [keyword, value] of this.#modern(written, given, path)) {
        const before = this.#notes.size;
        const made = keywordFits(keyword, value) ? this.#made(keyword, value, base, path) : undefined;
        const next = this.#notes.size > before ? looser(keyword, given) : keyword;
        if (next !== keyword)
          this.#note(path, `${keyword} is ${next === undefined ? 'left out' : `read as ${next}`}: a part changed`);
        if (made !== undefined) kept.push(...(next === undefined ? [] : [[next, made] as [string, unknown]]));
        else if (!(keyword === '$ref' || keyword === 'pattern') || typeof value !== 'string')
          this.#note(path, `${written} is not valid JSON Schema`);
        // Fields that match a pattern that was left out must stay allowed.
        isOpened ||= keyword === 'patternProperties' && size(made) < size(value);
      }
    }
    const closing = ['additionalProperties', 'unevaluatedProperties'];
    const read = Object.fromEntries(isOpened ? kept.filter(([keyword]) => !closing.includes(keyword)) : kept);
    const schema = withoutContradictions(read, (text) => this.#note(path, text));
    if (given.nullable !== true || path.length === 0) return schema;
    const { description, ...beside } = schema;
    this.#note(path, 'nullable is read as a choice with null');
    return { ...(description === undefined ? {} : { description }), anyOf: [beside, { type: 'null' }] };
  }

  /** Translates a keyword into one or several keywords of draft 2020-12. */
  #modern(keyword: string, schema: JsonSchemaObject, path: Path): readonly (readonly [string, unknown])[] {
    const value = schema[keyword];
    const isTuple = Array.isArray(schema.items);
    if (identities.includes(keyword) || (keyword === 'id' && typeof value === 'string')) return [];
    switch (keyword) {
      case 'type':
        return [[keyword, typesIn(value)]];
      case 'enum':
      case 'required': {
        if (!Array.isArray(value)) break;
        const kept = keyword === 'enum' ? value : value.filter((name) => typeof name === 'string');
        return [[keyword, [...new Set(kept)]]];
      }
      case 'items':
        if (!isTuple) break;
        return size(value) === 0 || Array.isArray(schema.prefixItems) ? [] : [['prefixItems', value]];
      case 'additionalItems':
        return isTuple ? [['items', value]] : [];
      case 'minimum':
      case 'maximum':
        return schema[exclusive(keyword)] === true ? [[exclusive(keyword), value]] : [[keyword, value]];
      case exclusive('minimum'):
      case exclusive('maximum'):
        if (typeof value !== 'boolean') break;
        this.#note(path, `${keyword} is read as in draft 4`);
        return [];
      case 'dependencies': {
        const parts = Object.entries(isRecord(value) ? value : {});
        const [names, schemas] = [true, false].map((isNames) => parts.filter(([, p]) => Array.isArray(p) === isNames));
        return [
          ['dependentRequired', Object.fromEntries(names ?? [])],
          ['dependentSchemas', Object.fromEntries(schemas ?? [])],
        ];
      }
      case '$dynamicRef':
      case '$recursiveRef':
        // With several `$id`s the target depends on the dynamic scope, which is not tracked.
        if (schema.$ref === undefined && !this.#hasNestedIds) return [['$ref', value]];
        this.#note(path, `${keyword} is left out`);
        return [];
    }
    return [[keyword, value]];
  }

  #made(keyword: string, value: unknown, base: string, path: Path): unknown {
    const inside = (part: unknown, ...names: Path) => this.#node(part, base, [...path, keyword, ...names]);
    if (keyword === '$ref') return this.#reference(value as string, base, path);
    if (keyword === 'pattern') return this.#isRunnable(value as string, path) ? value : undefined;
    if (keyword === 'type') return size(value) === 1 ? (value as readonly unknown[])[0] : value;
    if (schemaLists.has(keyword)) return (value as readonly unknown[]).map((part, at) => inside(part, String(at)));
    if (schemaMaps.has(keyword)) {
      const parts = Object.entries(value as object).filter(
        ([name]) => keyword !== 'patternProperties' || this.#isRunnable(name, path),
      );
      return Object.fromEntries(parts.map(([name, part]) => [name, inside(part, name)]));
    }
    return singleSchemas.has(keyword) ? inside(value) : value;
  }

  #isRunnable(pattern: string, path: Path): boolean {
    this.#parts += 1 + (pattern.length >> 7);
    const flag = patternFlag(pattern);
    const isLeft = this.#linearOnly && !isLinearPattern(pattern);
    const what = `the pattern ${JSON.stringify(pattern.slice(0, 100))}`;
    if (flag === undefined) this.#note(path, `${what} is not a regular expression of JavaScript`);
    else if (isLeft) this.#note(path, `${what} is left to the server`);
    else if (flag === '') this.#note(path, `${what} is read without the flag u`);
    return flag !== undefined && !isLeft;
  }

  #reference(reference: string, base: string, path: Path): string | undefined {
    const target = this.#locate(reference, base);
    if (target === undefined || !isRecord(this.#at(target)) || this.#isCircular(target)) {
      this.#note(path, `${reference.slice(0, 200)} leads nowhere`);
      return undefined;
    }
    if (target.length === 0) return '#';
    const [place = '', own = ''] = target;
    if (target.length === 2 && (place === '$defs' || place === 'definitions')) return pointerTo(place, own);
    let name = target.join('.');
    while (isRecord(this.#root.$defs) && Object.hasOwn(this.#root.$defs, name)) name += '_';
    this.#moved.set(name, this.#moved.get(name) ?? target);
    return pointerTo('$defs', name);
  }

  #isCircular(target: Path): boolean {
    const key = JSON.stringify(target);
    if (!this.#circular.has(key)) this.#circular.set(key, this.#leadsInCircle(target));
    return this.#circular.get(key) === true;
  }

  /** Whether a reference leads only to further references: in a circle, or in a chain that is too long. */
  #leadsInCircle(target: Path): boolean {
    let path: Path | undefined = target;
    for (let hops = 0; hops < maxHops; hops++) {
      const node = this.#at(path);
      if (!isRecord(node) || typeof node.$ref !== 'string') return false;
      path = this.#locate(node.$ref, this.#baseOf(path));
      if (path === undefined) return false;
    }
    return true;
  }

  #locate(reference: string, base: string): Path | undefined {
    const [uri = '', fragment = ''] = reference.split(/#(.*)/s);
    const resource = uri === '' ? base : within(base, uri);
    const root = this.#resources.get(resource);
    if (root === undefined) this.#outside ??= reference;
    if (root === undefined || fragment === '') return root;
    return fragment.startsWith('/')
      ? [...root, ...pointerSegments(fragment)]
      : this.#anchors.get(`${resource}#${fragment}`);
  }

  #at(path: Path): unknown {
    return path.reduce(partOf, this.#root);
  }

  /** The base URI of references in the part at `path`. */
  #baseOf(path: Path): string {
    let node: unknown = this.#root;
    let base = baseWithin(node, start);
    for (const key of path) {
      node = partOf(node, key);
      base = this.#bases.get(node) ?? baseWithin(node, base);
    }
    return base;
  }

  #note(path: Path, text: string): void {
    const place = path.filter((name, index) => name !== 'properties' || path[index - 1] === 'properties').join('.');
    this.#notes.add(`${place || 'the input'}: ${text}`);
  }
}

function exclusive(bound: string): string {
  return bound === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
}

function size(value: unknown): number {
  return Object.keys(value ?? {}).length;
}

function pointerTo(...names: Path): string {
  const escaped = names.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1'));
  return `#/${escaped.map((name) => name.replaceAll(/[^\w$.~\-\u0080-\uffff]/g, encodeURIComponent)).join('/')}`;
}

/** The base URI inside a schema. */
function baseWithin(schema: unknown, base: string): string {
  const own = isRecord(schema) ? schema.$id : undefined;
  return typeof own === 'string' && !own.startsWith('#') ? within(base, own) : base;
}

function within(base: string, uri: string): string {
  try {
    return new URL(uri, base).href.replace(/#.*/s, '');
  } catch {
    return uri;
  }
}
