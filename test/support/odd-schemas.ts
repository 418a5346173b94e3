type Schema = Readonly<Record<string, unknown>>;

/** An input schema of a tool of a real server, and an input that the server accepts. */
export type OddSchema = readonly [name: string, schema: Schema, input: Schema, keeps?: 'whole' | undefined];

const field = (schema: unknown, more: Schema = {}): Schema => ({ type: 'object', properties: { a: schema }, ...more });
const pattern = (name: string, text: string, a: string): OddSchema => [
  name,
  field({ type: 'string', pattern: text }),
  { a },
];
const text = { type: 'string' };

/** Unusual schemas of real servers. Those marked `whole` are valid JSON Schema, and must give no diagnostics. */
export const oddSchemas: readonly OddSchema[] = [
  // Patterns that do not need the flag `u`, or do not compile with it.
  pattern('a class before a dash', '^[\\w-.]+$', 'a-b.c'),
  pattern('a class before a dash and a sign', '^[\\d-/]+$', '1-2/3'),
  pattern('an escaped underscore', '^a\\_b$', 'a_b'),
  pattern('an escaped dash', '^x\\-y$', 'x-y'),
  pattern('an escaped at sign', '^[^@]+\\@[^@]+$', 'a@b'),
  pattern('escaped quotes', '^\\"a\\\'$', '"a\''),
  pattern('a lone brace', '^{[a-z]+}$', '{abc}'),
  pattern('a closing bracket', '^a]$', 'a]'),
  pattern('an escaped blank', '^a\\ b$', 'a b'),
  // Python, PCRE and Go.
  pattern('a named group of Python', '^(?P<year>\\d{4})-(?P<month>\\d\\d)$', '2026-01'),
  pattern('the end of Python', '^[a-z]+\\Z', 'abc'),
  pattern('both ends of Python', '\\A[a-z]+\\Z', 'abc'),
  pattern('the end of Go', '\\A[a-z]+\\z', 'abc'),
  pattern('a possessive quantifier', '^a++b$', 'aab'),
  pattern('an atomic group', '^(?>a+)b$', 'aab'),
  pattern('a flag inside', '^(?i)abc$', 'ABC'),
  pattern('flags and free spacing', '(?xi) ^ a  b $', 'AB'),
  pattern('a comment inside', '^a(?#letters)b$', 'ab'),
  pattern('a class of POSIX', '^[[:alpha:]]+$', 'abc'),
  pattern('a blank of PCRE', '^a\\hb$', 'a b'),
  pattern('a line break of PCRE', '^a\\Rb$', 'a\nb'),
  pattern('a quotation of PCRE', '^\\Qa.b\\E$', 'a.b'),
  pattern('a conditional', '^(a)?(?(1)b|c)$', 'ab'),
  pattern('a reset', 'a\\Kb', 'ab'),
  pattern('a recursion', '^(\\((?1)*\\))$', '(())'),
  pattern('a quantifier without a least', '^a{,3}$', 'aa'),
  pattern('an escape as a letter', '^\\e?$', '\u001b'),
  pattern('delimiters of PHP', '/^[a-z]+$/i', 'ABC'),
  pattern('delimiters of JavaScript', '/abc/i', 'ABC'),
  pattern('delimiters of Perl', '~^[a-z]+$~', 'abc'),
  pattern('a property and a dash that u refuses', '^[\\p{L}\\w-.]+$', 'é.'),
  pattern('a property and an escape that u refuses', '^[\\p{L}\\_]+$', 'é_'),
  pattern('a property of one letter', '^\\pL+$', 'abc'),
  pattern('a code point beside a dash that u refuses', '^[\\w-\\u{1F600}]+$', '\u{1F600}'),
  pattern('a code point of PCRE', '^\\x{41}$', 'A'),
  pattern('a difference of XML Schema', '[a-z-[aeiou]]+', 'bcd'),
  pattern('an intersection of Java', '[a-z&&[^aeiou]]', 'b'),
  pattern('an intersection of Java without a class inside', '^[a-z&&b-y]+$', 'b'),
  pattern('the ends of a word', '\\<ab\\>', 'ab'),
  pattern('a bracket as the first of a class', '^[]a]+$', 'a]'),
  pattern('nothing but a star', '*', 'anything'),
  pattern('a class that is open', '([', 'anything'),
  pattern('a range backwards', '[z-a]', 'anything'),
  pattern('a glob', '**/*.ts', 'src/a.ts'),
  pattern('look-around', '^(?!undefined$|null$)', 'a'),
  pattern('look-behind', '(?<=a)b$', 'ab'),
  pattern('a back reference', '^(a|b)\\1$', 'aa'),
  [
    'patternProperties of no flag u',
    field({ type: 'object', patternProperties: { '^x\\-': text } }),
    { a: { 'x-a': 'b' } },
  ],
  [
    'patternProperties of Python, closed',
    field({ type: 'object', patternProperties: { '(?P<x>^x)': text }, additionalProperties: false }),
    { a: { xy: 'b' } },
  ],
  [
    'patternProperties with look-around, closed',
    field({ type: 'object', patternProperties: { '^(?!_)': text }, additionalProperties: false }),
    { a: { b: 'c' } },
  ],
  // OpenAPI 3.0 and Swagger.
  ['nullable beside anyOf', field({ anyOf: [text, { type: 'number' }], nullable: true }), { a: null }],
  [
    'nullable beside a reference',
    field({ $ref: '#/definitions/x', nullable: true }, { definitions: { x: text } }),
    { a: null },
  ],
  ['nullable beside nothing', field({ nullable: true, description: 'd' }), { a: 7 }],
  ['nullable beside a type', field({ type: 'string', nullable: true }, { required: ['a'] }), { a: null }],
  [
    'nullable beside a choice',
    field({ type: 'string', enum: ['x'], nullable: true }, { required: ['a'] }),
    { a: null },
  ],
  [
    'nullable beside allOf',
    field({ allOf: [{ $ref: '#/$defs/x' }], nullable: true }, { $defs: { x: text }, required: ['a'] }),
    { a: null },
  ],
  ['not nullable', field({ type: 'string', nullable: false }), { a: 'x' }],
  [
    'a discriminator',
    field({ oneOf: [field({ const: 'x' })], discriminator: { propertyName: 'a' } }),
    { a: { a: 'x' } },
  ],
  [
    'an example and a read-only mark',
    field({ type: 'string', example: 'x', readOnly: true, xml: { name: 'a' } }),
    { a: 'x' },
  ],
  [
    'components beside',
    field({ $ref: '#/components/schemas/X' }, { components: { schemas: { X: text } } }),
    { a: 'x' },
  ],
  // Older drafts.
  ['a bound of draft 4', field({ type: 'number', minimum: 0, exclusiveMinimum: true }), { a: 1 }],
  [
    'bounds of draft 4',
    field({ type: 'number', maximum: 9, exclusiveMaximum: false, exclusiveMinimum: false }),
    { a: 9 },
  ],
  ['an exclusive bound alone', field({ type: 'number', exclusiveMinimum: true }), { a: 1 }],
  ['required: true on a property', field({ type: 'string', required: true }), { a: 'x' }],
  ['required: false on a property', field({ type: 'string', required: false }), {}],
  ['an id of draft 4', { id: 'http://example.com/x', ...field(text) }, { a: 'x' }],
  ['types and schemas of draft 3', field({ type: ['string', { type: 'object' }] }), { a: 'x' }],
  [
    'divisibleBy, disallow and extends',
    field({ type: 'number', divisibleBy: 2, disallow: 'string', extends: {} }),
    { a: 4 },
  ],
  // Types that do not exist.
  ['type: any', field({ type: 'any' }), { a: [1] }],
  ['type: file', field({ type: 'file' }), { a: 'x' }],
  ['types of Python', field({ type: 'str' }), { a: 'x' }],
  ['types in capitals', field({ type: 'STRING' }), { a: 'x' }],
  ['a type of null', field({ type: null }), { a: 'x' }],
  ['no types', field({ type: [] }), { a: 'x' }],
  ['a type and one that does not exist', field({ type: ['string', 'date'] }), { a: 5 }],
  // Null and other values instead of a list or an object.
  ['properties: null', { type: 'object', properties: null }, {}],
  ['required: null', field(text, { required: null }), {}],
  ['required as text', field(text, { required: 'a' }), { a: 'x' }],
  ['required twice', field(text, { required: ['a', 'a'] }), { a: 'x' }],
  ['enum: null', field({ type: 'string', enum: null }), { a: 'x' }],
  ['an empty enum', field({ type: 'string', enum: [] }), { a: 'x' }],
  ['items: null', field({ type: 'array', items: null }), { a: [1] }],
  ['a property that is null', field(null), { a: 'x' }],
  ['a property that is a type', field('string'), { a: 'x' }],
  ['properties as a list', { type: 'object', properties: [{ name: 'a', type: 'string' }] }, { a: 'x' }],
  ['additionalProperties as text', field(text, { additionalProperties: 'false' }), { a: 'x', b: 1 }],
  ['an empty anyOf', field({ anyOf: [] }), { a: 'x' }],
  ['anyOf with null', field({ anyOf: [null, text] }), { a: 5 }],
  ['allOf as an object', field({ allOf: { type: 'string' } }), { a: 'x' }],
  ['bounds as text', field({ type: 'string', minLength: '1', maxLength: null, pattern: null }), { a: 'x' }],
  ['a bound below nothing', field({ type: 'array', minItems: -1, maxItems: 1.5, uniqueItems: 'yes' }), { a: [1, 1] }],
  ['multipleOf: 0', field({ type: 'number', multipleOf: 0 }), { a: 3 }],
  [
    'a description that is a list',
    field({ type: 'string', description: ['a', 'b'], title: 7, format: {} }),
    { a: 'x' },
  ],
  ['not: null and if: []', field({ type: 'string', not: null, if: [] }), { a: 'x' }],
  // Contradictions: no input is valid, so the schema is wrong.
  ['minimum above maximum', field({ type: 'integer', minimum: 5, maximum: 3 }), { a: 4 }],
  ['an exclusive bound at the other', field({ type: 'number', exclusiveMinimum: 3, maximum: 3 }), { a: 3 }],
  ['a least length above the most', field({ type: 'string', minLength: 9, maxLength: 2 }), { a: 'four' }],
  ['more entries than there may be', field({ type: 'array', minItems: 2, maxItems: 1 }), { a: [1] }],
  ['a choice of another type', field({ type: 'string', enum: [1, 2] }), { a: 'x' }],
  ['a choice of texts for a number', field({ type: 'integer', enum: ['1', '2'] }), { a: 1 }],
  ['a constant of another type', field({ type: 'boolean', const: 'yes' }), { a: true }],
  ['a constant that is no choice', field({ const: 'x', enum: ['y', 'z'] }), { a: 'y' }],
  ['choices out of bounds', field({ type: 'number', enum: [1, 2], minimum: 10 }), { a: 12 }],
  ['choices that are too long', field({ enum: ['long'], maxLength: 2 }), { a: 'lo' }],
  ['a name that is required and unknown', field(text, { required: ['b'], additionalProperties: false }), { a: 'x' }],
  [
    'a name that is required and unknown, given',
    field(text, { required: ['b'], additionalProperties: false }),
    { a: 'x', b: 1 },
  ],
  ['a name that is required and forbidden', field(false, { required: ['a'] }), { a: 'x' }],
  [
    'a contradiction deep inside',
    field({ type: 'array', items: { anyOf: [{ minimum: 2, maximum: 1, type: 'number' }] } }),
    { a: [1] },
  ],
  [
    'a contradiction below a negation',
    field({
      not: {
        anyOf: [
          { type: 'string', enum: [1] },
          { minLength: 2, maxLength: 1 },
        ],
      },
    }),
    { a: 'x' },
  ],
  // Bounds and choices that seem contradictory but are not.
  ['equal bounds', field({ type: 'integer', minimum: 3, maximum: 3 }), { a: 3 }, 'whole'],
  ['a choice of several types', field({ type: ['string', 'null'], enum: ['x', null] }), { a: null }, 'whole'],
  ['a choice of which one fits', field({ type: 'integer', enum: [1, 'x'], minimum: 1 }), { a: 1 }, 'whole'],
  ['a choice of objects', field({ const: { b: 1 }, enum: [{ b: 1 }] }), { a: { b: 1 } }, 'whole'],
  [
    'a name that a pattern allows',
    field(text, { required: ['b'], patternProperties: { '^b': {} }, additionalProperties: false }),
    { b: 1 },
    'whole',
  ],
  // References and identities.
  [
    'references to other documents',
    {
      type: 'object',
      properties: {
        a: { $ref: 'https://example.com/a.json#/b' },
        b: { $ref: 'http://json-schema.org/draft-07/schema#' },
      },
    },
    { a: 'x', b: { type: 'string' } },
  ],
  [
    'a slash in percent form',
    field({ $ref: '#/$defs/a%2Fb' }, { $defs: { a: { b: text }, 'a/b': false } }),
    { a: 'x' },
  ],
  ['a dangling reference', field({ $ref: '#/definitions/missing' }), { a: 'x' }],
  ['a reference to a name alone', field({ $ref: 'User' }), { a: 'x' }],
  ['a reference that is a number', field({ $ref: 7 }), { a: 'x' }],
  ['a dangling anchor', field({ $ref: '#user' }), { a: 'x' }],
  ['a reference to itself', field({ $ref: '#/properties/a' }), { a: 'x' }],
  [
    'references in a circle',
    field({ $ref: '#/$defs/x' }, { $defs: { x: { $ref: '#/$defs/y' }, y: { $ref: '#/$defs/x' } } }),
    { a: 1 },
  ],
  [
    'a doubled $id',
    field({ $ref: 'x' }, { $defs: { p: { $id: 'x', type: 'string' }, q: { $id: 'x', type: 'string' } } }),
    { a: 'x' },
  ],
  ['an $id that is no address', { $id: 'http://[', ...field(text) }, { a: 'x' }],
  ['an unknown $schema', { $schema: 'https://example.com/own', ...field(text) }, { a: 'x' }],
  ['an asynchronous schema', { $async: true, ...field(text) }, { a: 'x' }],
  ['no type at the top', { properties: { a: text } }, { a: 'x' }],
  ['types at the top', { type: ['object', 'null'], properties: { a: text } }, { a: 'x' }],
  // The output of common generators.
  [
    'zod 4',
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...field({
        type: 'string',
        format: 'email',
        pattern:
          "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
      }),
      additionalProperties: false,
    },
    { a: 'a@example.com' },
  ],
  [
    'zod 3',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...field({ type: ['string', 'null'], default: null }, { additionalProperties: false }),
    },
    { a: null },
    'whole',
  ],
  [
    'pydantic',
    field(
      { anyOf: [{ $ref: '#/$defs/Mode' }, { type: 'null' }], default: null, title: 'A' },
      { $defs: { Mode: { enum: ['x', 'y'], title: 'Mode', type: 'string' } }, title: 'Args' },
    ),
    { a: 'x' },
    'whole',
  ],
  [
    'pydantic, a tuple',
    field({ type: 'array', prefixItems: [text, { type: 'integer' }], minItems: 2, maxItems: 2 }),
    { a: ['x', 1] },
    'whole',
  ],
  ['FastMCP, a dictionary', field({ additionalProperties: true, type: 'object' }), { a: { b: 1 } }, 'whole'],
  [
    'Go, a reference at the top',
    { $schema: 'https://json-schema.org/draft/2020-12/schema', $ref: '#/$defs/Args', $defs: { Args: field(text) } },
    { a: 'x' },
    'whole',
  ],
  ['Go, an optional pointer', field({ type: ['null', 'array'], items: { type: 'integer' } }), { a: null }, 'whole'],
  [
    'typescript, percent form',
    field(
      { $ref: '#/definitions/Partial%3CUser%3E' },
      { definitions: { 'Partial<User>': { type: 'object', properties: { name: text } } } },
    ),
    { a: { name: 'x' } },
    'whole',
  ],
  ['TypeBox, an $id', field({ $ref: 'T' }, { $defs: { T: { $id: 'T', type: 'string' } } }), { a: 'x' }, 'whole'],
  ['an anchor', field({ $ref: '#t' }, { $defs: { x: { $anchor: 't', type: 'string' } } }), { a: 'x' }, 'whole'],
  [
    'an $id with its own definitions',
    field(
      { $id: 'https://example.com/a', $ref: '#/$defs/x', $defs: { x: text } },
      { $defs: { x: { type: 'number' } } },
    ),
    { a: 'x' },
    'whole',
  ],
];
