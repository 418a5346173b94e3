/** A form of JSON Schema that a provider takes in definitions of tools. */
export type SchemaDialect = 'anthropic' | 'openai' | 'openai-strict' | 'gemini' | 'plain';

/** What a dialect takes. */
export interface DialectRules {
  /**
   * The keywords that it knows for values of a type, besides `enum`, `anyOf`, `description` and what types are made of.
   * Default: all of 2020-12, with references to `$defs`.
   */
  readonly keywords?: Readonly<Partial<Record<string, readonly string[]>>>;
  /** The values of `format` that it knows. Default: any. */
  readonly formats?: readonly string[];
  /** Names of fields that it takes. Default: any. */
  readonly fieldName?: RegExp;
  /** Names of tools that it takes, where those of a registry are too many. */
  readonly toolName?: RegExp;
  /** Every object is closed and every field required, so that one that may be missing is nullable; nothing is untyped. */
  readonly isStrict?: boolean;
  /** Null is the mark `nullable`, choices are of text alone, and nothing stands beside `anyOf`. */
  readonly isOpenApi?: boolean;
  /** It takes every pattern of JSON Schema. Default: those that every engine reads, without look-around and the like. */
  readonly hasAnyPattern?: boolean;
  /** Every list says what its items are. */
  readonly needsItems?: boolean;
}

const counts = ['minItems', 'maxItems'];
const texts = ['format', 'pattern'];
const lengths = [...texts, 'minLength', 'maxLength'];
const bounds = ['minimum', 'maximum', 'format'];
const exactBounds = [...bounds, 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];

/** One row for each dialect. */
export const schemaDialects: Readonly<Record<SchemaDialect, DialectRules>> = {
  anthropic: { hasAnyPattern: true, fieldName: /^[\w.-]{1,64}$/ },
  openai: { needsItems: true },
  'openai-strict': {
    keywords: { string: texts, number: exactBounds, integer: exactBounds, array: counts },
    formats,
    isStrict: true,
    needsItems: true,
  },
  gemini: {
    keywords: { string: lengths, number: bounds, integer: bounds, array: counts },
    formats: ['date-time', 'float', 'double', 'int32', 'int64'],
    fieldName: /^[A-Za-z_]\w{0,63}$/,
    toolName: /^[A-Za-z_][\w-]{0,63}$/,
    isOpenApi: true,
    needsItems: true,
  },
  plain: {
    keywords: {
      string: [...lengths, 'default'],
      number: [...exactBounds, 'default'],
      integer: [...exactBounds, 'default'],
      boolean: ['default'],
      array: [...counts, 'default'],
      object: ['additionalProperties', 'default'],
    },
    formats: [...formats, 'uri'],
  },
};

/** The smallest limits that OpenAI and Azure OpenAI have published for strict mode, so that it passes wherever it is sent. */
export const strictLimits = { properties: 100, enumValues: 500, nameChars: 15_000, depth: 5 } as const;

/** How often a reference is followed inside itself, how many parts a schema may come to, and how deep they nest. */
export const compileLimits = { cycles: 5, parts: 5_000, depth: 300 } as const;
