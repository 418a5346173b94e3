import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lintDescriptions } from '../src/core/lint-descriptions.js';
import type { ToolDefinitionJson } from '../src/core/registry.js';
import { createToolkit } from '../src/create-toolkit.js';

// Runs twice: with zod 4, and with `zod` standing for the last zod 3, whose `zod/v4` the built-in schemas are written with as well.

let root: string;
let definitions: readonly ToolDefinitionJson[];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'toolwright-catalogue-'));
  const toolkit = createToolkit({ root });
  definitions = toolkit.definitions();
  await toolkit.dispose();
});

afterAll(() => rmSync(root, { recursive: true }));

test('the model is told of the built-in tools in this order, in these words', () => {
  expect(definitions).toMatchSnapshot();
});

test('no tool comes out without its fields', () => {
  expect(definitions.length).toBeGreaterThan(0);
  for (const { name, description, inputSchema } of definitions) {
    expect(inputSchema, name).toMatchObject({ type: 'object', properties: expect.any(Object) });
    expect(Object.keys(inputSchema.properties as object), name).not.toEqual([]);
    expect(inputSchema, name).not.toHaveProperty('$schema');
    expect(description.length, name).toBeGreaterThan(20);
  }
});

test('no description takes more of a prompt than it is worth', () => {
  expect(lintDescriptions(definitions)).toEqual([]);
});
