import { sep } from 'node:path';
import type { JsonSchemaObject } from '../core/tool.js';
import type { ExampleBudget } from './example-budget.js';
import { maxMatchedChars } from './example-choice.js';
import { patternCost } from './example-pattern.js';

/** What stands for any text. */
const anything = '…';
const absolutePath = sep === '/' ? '/path/to/file' : 'C:\\path\\to\\file';
const address = 'https://example.com';

const byFormat: Readonly<Record<string, string>> = {
  email: 'name@example.com',
  'idn-email': 'name@example.com',
  uri: address,
  url: address,
  iri: address,
  'uri-reference': address,
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  duration: 'PT1H',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  guid: '123e4567-e89b-42d3-a456-426614174000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  cidrv4: '192.0.2.0/24',
  cidrv6: '2001:db8::/32',
  hostname: 'example.com',
  regex: '^a$',
  'json-pointer': '/a',
  base64: 'YQ==',
  emoji: '👍',
};

// By the last word of the name of a field.
const byName: Readonly<Record<string, string>> = {
  path: absolutePath,
  file: absolutePath,
  directory: absolutePath,
  dir: absolutePath,
  folder: absolutePath,
  cwd: absolutePath,
  url: address,
  uri: address,
  email: 'name@example.com',
};

/** Of the forms that patterns mostly ask for, and so short that no pattern takes long on them. */
const forPatterns: readonly string[] = [
  ...['text', '1', '123', 'a', 'A', 'TEXT', 'Text', '2026-01-31', '2026-01', '12:00', '12:00:00', '1.0', '1.0.0', '12345', '#aabbcc'],
  ...[
    'a1',
    'a1b2c3d4',
    '0123456789abcdef',
    'A1',
    'AB',
    'ABC-123',
    '+15550100',
    '555-0100',
    'text text',
    'a.b',
    'a/b',
    'a:b',
    'name@a.example',
  ],
  ...[address, '192.0.2.1', 'example.com', 'file.txt', absolutePath],
];

/**
 * A text as a schema wants it, by its format, its pattern, the name of its field and its lengths, as far as they tell.
 * Undefined where it wants a pattern of which no example is known, or that may take long.
 */
export function exampleText(schema: JsonSchemaObject, name: string, budget: ExampleBudget): string | undefined {
  const { format, pattern, minLength, maxLength } = schema;
  if (typeof format === 'string' && Object.hasOwn(byFormat, format)) return byFormat[format];
  const least = typeof minLength === 'number' ? Math.min(minLength, maxTextChars) : 0;
  const most = typeof maxLength === 'number' ? maxLength : maxTextChars;
  const fitted = sized(namedText(name) ?? anything, least, most);
  if (typeof pattern !== 'string') return fitted;
  return matching(pattern, [fitted, ...forPatterns, ...forPatterns.map((text) => sized(text, least, most))], budget);
}

function namedText(name: string): string | undefined {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);
  const last = words.at(-1) ?? '';
  return Object.hasOwn(byName, last) ? byName[last] : undefined;
}

const maxTextChars = 1_000;

/** A text that is made as long as it has to be, and no longer than it may be. */
function sized(text: string, least: number, most: number): string {
  const unit = text === anything ? 'text' : text;
  const long = text.length >= least ? text : unit.repeat(Math.ceil(least / unit.length)).slice(0, least);
  return long.slice(0, most);
}

const maxPatternChars = 500;

/** The first text that a pattern takes. A pattern that a text could keep busy for long is not tried. */
function matching(pattern: string, texts: readonly string[], budget: ExampleBudget): string | undefined {
  if (pattern.length > maxPatternChars || patternCost(pattern, maxMatchedChars) === Number.POSITIVE_INFINITY) return undefined;
  try {
    const expression = new RegExp(pattern, 'u');
    return texts.find((text) => text.length <= maxMatchedChars && !budget.isSpent && expression.test(text));
  } catch {
    return undefined;
  }
}
