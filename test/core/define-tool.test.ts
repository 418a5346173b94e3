import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import { type SideEffect, Tool } from '../../src/core.js';
import { toolContext } from '../../src/testing/index.js';
import { assessed } from '../support/assessed.js';
import { eachRow } from '../support/each-row.js';

describe('Tool.define', () => {
  const definition = { description: 'd', input: z.object({}), sideEffect: 'none' as const, execute: () => 'x' };

  test('names that no provider accepts are rejected', () =>
    eachRow(['', 'a b', 'ä', 'a.b', 'x'.repeat(65)], (name) =>
      expect(() => Tool.define(name, definition)).toThrow('1 to 64'),
    ));

  test('an unknown side effect is rejected', () =>
    expect(() => Tool.define('A', { ...definition, sideEffect: 'evil' as never })).toThrow('sideEffect'));

  test('a limit of the output is a whole number from 1 up, or Infinity', () =>
    eachRow([-1, 0, 2.5, Number.NaN], (maxOutputChars) =>
      expect(() => Tool.define('A', { ...definition, maxOutputChars })).toThrow(/maxOutputChars takes a whole number/),
    ));

  test('a returned text becomes a result, also in a direct call', async () =>
    expect(await Tool.define('A', definition).execute({}, toolContext())).toEqual({ output: 'x' }));

  test('a side effect gives a risk, and whether a call is repeatable', () =>
    eachRow<[SideEffect, string, boolean]>(
      [
        ['none', 'none', true],
        ['readonly', 'low', true],
        ['mutating', 'medium', false],
        ['network', 'high', false],
        ['blocking', 'low', false],
        ['spawns', 'critical', false],
      ],
      async ([sideEffect, risk, idempotent]) => {
        const made = Tool.define('A', { ...definition, sideEffect });
        expect([(await assessed(made, {})).risk, made.idempotent]).toEqual([risk, idempotent]);
      },
    ));
});
