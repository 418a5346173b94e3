/** The JSON Schema dialect that a provider accepts in tool definitions. */
export type SchemaDialect = 'anthropic' | 'openai' | 'openai-strict' | 'gemini' | 'plain';

/** The rules of a dialect. */
export interface DialectRules {
  /**
   * The keywords of the dialect by type, in addition to `enum`, `anyOf`, `description` and the keywords of inner
   * schemas. Default: all of draft 2020-12, with references to `$defs`.
   */
  readonly keywords?: Readonly<Partial<Record<string, readonly string[]>>>;
  /** Accepted values of `format`. Default: any. */
  readonly formats?: readonly string[];
  /** Accepted field names. Default: any. */
  readonly fieldName?: RegExp;
  /** Accepted tool names, if the dialect accepts fewer names than a registry. */
  readonly toolName?: RegExp;
  /**
   * Strict mode: every object is closed, every field is required, optional fields are nullable, every value has a type.
   */
  readonly isStrict?: boolean;
  /** OpenAPI: null is written as `nullable`, `enum` has only texts, and `anyOf` has no keywords beside it. */
  readonly isOpenApi?: boolean;
  /** The dialect accepts every pattern of JSON Schema. Default: only portable patterns, without look-around. */
  readonly hasAnyPattern?: boolean;
  /** Every list must have `items`. */
  readonly needsItems?: boolean;
}

const counts = ['minItems', 'maxItems'];
const texts = ['format', 'pattern'];
const lengths = [...texts, 'minLength', 'maxLength'];
const bounds = ['minimum', 'maximum', 'format'];
const exactBounds = [...bounds, 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];

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

/** The smallest limits that OpenAI and Azure OpenAI have published for strict mode. */
export const strictLimits = { properties: 100, enumValues: 500, nameChars: 15_000, depth: 5 } as const;

/** Limits of compiling: rounds of a recursive reference, parts of a schema, and nesting depth. */
export const compileLimits = { cycles: 5, parts: 5_000, depth: 300 } as const;
