import { isRecord } from '../support/check-values.js';
import type { JsonSchemaObject } from './json-schema.js';
import { bounds, followReference, isOfType } from './keywords.js';
import { tooMuchWork } from './patterns.js';
import type { PatternTest, Spend } from './test-pattern.js';

/** One error in an input, with its path. */
export interface InputIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * The path to a value as a linked list: its key, and the path of its container. An array of keys would have to be
 * copied at each level.
 */
interface PathNode {
  readonly outer: Path;
  readonly key: string | number;
}
type Path = PathNode | undefined;
type Fields = Readonly<Record<string, unknown>>;
/**
 * The entries and fields that a keyword has evaluated; kept only for schemas with `unevaluatedItems` or
 * `unevaluatedProperties`.
 */
type Seen = Set<string | number> | undefined;

const maxIssues = 100;
const maxDepth = 500;
const maxLimitChars = 2_000;

/** One validation of a value against a mended schema, in a bounded number of steps. */
export class ValueCheck {
  readonly issues: InputIssue[] = [];
  readonly #root: JsonSchemaObject;
  readonly #test: PatternTest;
  readonly #tracks: boolean;
  // Caches, because one check may use the same long reference or value of a schema many times.
  readonly #targets = new Map<string, JsonSchemaObject | undefined>();
  readonly #shown = new Map<unknown, string>();
  #left: number;
  #depth = 0;

  /** `tracks` says whether `unevaluatedItems` and `unevaluatedProperties` are checked. */
  constructor(root: JsonSchemaObject, test: PatternTest, tracks: boolean, maxSteps: number) {
    this.#root = root;
    this.#test = test;
    this.#tracks = tracks;
    this.#left = maxSteps;
  }

  /** Whether a value fits a schema. Throws {@link tooMuchWork} when the bound of steps is exceeded. */
  holds(value: unknown, schema: unknown, path?: Path, outer?: Seen): boolean {
    this.#spend(1);
    if (schema === false) return this.#wrong(path, 'is not a field of this tool');
    if (!isRecord(schema)) return true;
    if (++this.#depth > maxDepth) throw tooMuchWork;
    const seen: Seen = this.#tracks ? new Set() : undefined;
    let holds = true;
    for (const keyword of Object.keys(schema)) {
      this.#spend(1);
      const inside = this.#combines(keyword, value, schema, path, seen) && this.#fits(keyword, value, schema, path);
      const below = Array.isArray(value)
        ? this.#list(keyword, value, schema, path, seen)
        : !isRecord(value) || this.#object(keyword, value, schema, path, seen);
      holds = inside && below && holds;
    }
    for (const key of this.#unseen(value, schema, seen)) {
      const { unevaluatedItems, unevaluatedProperties } = schema;
      const part = Array.isArray(value) ? unevaluatedItems : unevaluatedProperties;
      holds = this.#inside(value as object, key, part, path, seen) && holds;
    }
    this.#depth--;
    if (holds && outer !== undefined && seen !== undefined) {
      this.#spend(seen.size >> 2);
      for (const key of seen) outer.add(key);
    }
    return holds;
  }

  readonly #spend: Spend = (steps) => {
    this.#left -= steps;
    if (this.#left < 0) throw tooMuchWork;
  };

  #wrong(path: Path, message: string): false {
    if (this.issues.length >= maxIssues) return false;
    const keys: (string | number)[] = [];
    for (let place = path; place !== undefined; place = place.outer) keys.push(place.key);
    this.#spend(keys.length >> 3);
    this.issues.push({ path: keys.reverse(), message });
    return false;
  }

  #limitText(limit: unknown): string {
    const text = this.#shown.get(limit) ?? JSON.stringify(limit);
    this.#shown.set(limit, text);
    return text.length > maxLimitChars ? `${text.slice(0, maxLimitChars)}…` : text;
  }

  #target(reference: string): JsonSchemaObject | undefined {
    if (!this.#targets.has(reference)) this.#targets.set(reference, followReference(this.#root, reference));
    return this.#targets.get(reference);
  }

  /** The number of schemas that a value fits; stops after the first if `isOneEnough`. */
  #count(value: unknown, schemas: readonly unknown[], path: Path, seen: Seen, isOneEnough = false): number {
    let count = 0;
    for (const schema of schemas) {
      if (this.holds(value, schema, path, seen)) count++;
      if (count > 0 && isOneEnough) break;
    }
    return count;
  }

  #combines(keyword: string, value: unknown, schema: JsonSchemaObject, path: Path, seen: Seen): boolean {
    const part = schema[keyword];
    const before = this.issues.length;
    switch (keyword) {
      case '$ref':
        return this.holds(value, this.#target(part as string), path, seen);
      case 'allOf': {
        const parts = part as readonly unknown[];
        return this.#count(value, parts, path, seen) === parts.length;
      }
      case 'anyOf':
      case 'oneOf': {
        const isOneEnough = keyword === 'anyOf' && !this.#tracks;
        const count = this.#count(value, part as readonly unknown[], path, seen, isOneEnough);
        if (count > 0) this.issues.length = before;
        if (count === 1 || (count > 1 && keyword === 'anyOf')) return true;
        return this.#wrong(path, `must match one of the allowed forms${count > 1 ? ', not several' : ''}`);
      }
      case 'not':
      case 'if': {
        const holds = this.holds(value, part, path, keyword === 'if' ? seen : undefined);
        this.issues.length = before;
        if (keyword === 'if') return this.holds(value, holds ? schema.then : schema.else, path, seen);
        return !holds || this.#wrong(path, 'must not match the excluded form');
      }
    }
    return true;
  }

  #fits(keyword: string, value: unknown, schema: JsonSchemaObject, path: Path): boolean {
    const limit = schema[keyword];
    switch (keyword) {
      case 'type': {
        const types = [limit].flat();
        return types.some((type) => isOfType(value, type)) || this.#wrong(path, `must be ${types.join(' or ')}`);
      }
      case 'const':
        return this.#isAmong([limit], value) || this.#wrong(path, `must be ${this.#limitText(limit)}`);
      case 'enum':
        return (
          this.#isAmong(limit as readonly unknown[], value) ||
          this.#wrong(path, `must be one of ${this.#limitText(limit)}`)
        );
      case 'pattern':
        return (
          typeof value !== 'string' ||
          this.#test(limit as string, value, this.#spend) !== false ||
          this.#wrong(path, `must match the pattern ${this.#limitText(limit)}`)
        );
    }
    const [of, holds, text = ''] = bounds.get(keyword) ?? [];
    if (of === undefined || holds === undefined) return true;
    if (typeof value === 'string') this.#spend(value.length >> 4);
    const measure = of(value);
    if (isRecord(value)) this.#spend((measure ?? 0) >> 2);
    return (
      measure === undefined || holds(measure, limit as number) || this.#wrong(path, text.replace('N', String(limit)))
    );
  }

  #isAmong(choices: readonly unknown[], value: unknown): boolean {
    this.#spend(choices.length >> 2);
    if (typeof value !== 'object' || value === null) return choices.includes(value);
    const text = this.#canonical(value);
    return choices.some((one) => typeof one === 'object' && one !== null && this.#canonical(one) === text);
  }

  /** JSON text with sorted keys: equal values have equal texts. */
  #canonical(value: unknown, depth = 0): string {
    this.#spend(2 + (typeof value === 'string' ? value.length >> 4 : 0));
    if (depth > maxDepth) throw tooMuchWork;
    if (Array.isArray(value)) return `[${value.map((entry) => this.#canonical(entry, depth + 1)).join()}]`;
    if (!isRecord(value)) return JSON.stringify(value);
    const field = (name: string) => `${JSON.stringify(name)}:${this.#canonical(value[name], depth + 1)}`;
    return `{${Object.keys(value).sort().map(field).join()}}`;
  }

  #list(keyword: string, value: readonly unknown[], schema: JsonSchemaObject, path: Path, seen: Seen): boolean {
    const part = schema[keyword];
    const first = Array.isArray(schema.prefixItems) ? (schema.prefixItems as readonly unknown[]) : [];
    let holds = true;
    switch (keyword) {
      case 'prefixItems':
      case 'items': {
        const [from, to] = keyword === 'items' ? [first.length, value.length] : [0, first.length];
        for (let index = from; index < Math.min(to, value.length); index++)
          holds = this.#inside(value, index, keyword === 'items' ? part : first[index], path, seen) && holds;
        return holds;
      }
      case 'contains': {
        const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema;
        const before = this.issues.length;
        const found = [...value.keys()].filter((index) => this.holds(value[index], part, path));
        this.issues.length = before;
        for (const index of found) seen?.add(index);
        if (found.length < Number(minContains)) return this.#wrong(path, 'has too few entries of the required kind');
        return found.length <= Number(maxContains) || this.#wrong(path, 'has too many entries of the required kind');
      }
      case 'uniqueItems': {
        if (part === false || new Set(value.map((entry) => this.#canonical(entry))).size === value.length) return true;
        return this.#wrong(path, 'must not have the same entry twice');
      }
    }
    return true;
  }

  #object(keyword: string, value: Fields, schema: JsonSchemaObject, path: Path, seen: Seen): boolean {
    const part = schema[keyword];
    let holds = true;
    const each = (names: Iterable<string>, check: (name: string) => boolean) => {
      for (const name of names) {
        this.#spend(1);
        holds = check(name) && holds;
      }
      return holds;
    };
    const needs = (names: unknown, text: string) =>
      each(
        names as readonly string[],
        (name) => Object.hasOwn(value, name) || this.#wrong({ outer: path, key: name }, text),
      );
    const named = (name: string) => (Object.hasOwn(part as Fields, name) ? (part as Fields)[name] : undefined);
    const field = (name: string, own: unknown) => own === undefined || this.#inside(value, name, own, path, seen);
    const matches = (pattern: string, name: string) => this.#test(pattern, name, this.#spend);
    switch (keyword) {
      case 'required':
        return needs(part, 'is required but missing');
      case 'properties':
        return each(Object.keys(value), (name) => field(name, named(name)));
      case 'patternProperties':
        for (const [pattern, own] of Object.entries(part as Fields)) {
          this.#spend(1);
          each(Object.keys(value), (name) => matches(pattern, name) !== true || field(name, own));
        }
        return holds;
      case 'additionalProperties': {
        const patterns = Object.keys(schema.patternProperties ?? {});
        this.#spend(patterns.length >> 2);
        return each(
          Object.keys(value),
          (name) =>
            Object.hasOwn(schema.properties ?? {}, name) ||
            patterns.some((pattern) => matches(pattern, name) !== false) ||
            field(name, part),
        );
      }
      case 'propertyNames':
        return each(Object.keys(value), (name) => this.holds(name, part, { outer: path, key: name }));
      case 'dependentRequired':
        return each(Object.keys(value), (name) => needs(named(name) ?? [], `is required beside ${name} but missing`));
      case 'dependentSchemas':
        return each(Object.keys(value), (name) => this.holds(value, named(name), path, seen));
    }
    return true;
  }

  #inside(value: object, key: string | number, schema: unknown, path: Path, seen: Seen): boolean {
    seen?.add(key);
    return this.holds(value[key as never], schema, { outer: path, key });
  }

  /** The entries or fields that no keyword has evaluated; empty if the schema does not restrict unevaluated values. */
  #unseen(value: unknown, schema: JsonSchemaObject, seen: Seen): readonly (string | number)[] {
    if (seen === undefined) return [];
    this.#spend(seen.size >> 2);
    if (Array.isArray(value))
      return 'unevaluatedItems' in schema ? [...value.keys()].filter((key) => !seen.has(key)) : [];
    if (!isRecord(value) || !('unevaluatedProperties' in schema)) return [];
    return Object.keys(value).filter((key) => !seen.has(key));
  }
}
