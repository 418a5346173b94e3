import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import { Tool } from '../../src/core.js';
import { toolContext } from '../../src/testing/index.js';

describe('Tool.define', () => {
  const definition = { description: 'd', input: z.object({}), sideEffect: 'none' as const, execute: () => 'x' };

  test.each(['', 'a b', 'ä', 'a.b', 'x'.repeat(65)])('the name %j is refused', (name) => {
    expect(() => Tool.define(name, definition)).toThrow('1 to 64');
  });

  test('an unknown side effect is refused', () => {
    expect(() => Tool.define('A', { ...definition, sideEffect: 'evil' as never })).toThrow('sideEffect');
  });

  test('text is short for a result, called by hand too', async () => {
    expect(await Tool.define('A', definition).execute({}, toolContext())).toEqual({ output: 'x' });
  });

  test.each([
    ['none', 'none', true],
    ['readonly', 'low', true],
    ['mutating', 'medium', false],
    ['network', 'high', false],
    ['blocking', 'low', false],
    ['spawns', 'critical', false],
  ] as const)('side effect %s means risk %s, and repeatable %s', (sideEffect, risk, idempotent) => {
    const made = Tool.define('A', { ...definition, sideEffect });
    expect([made.riskOf({}), made.idempotent]).toEqual([risk, idempotent]);
  });
});
