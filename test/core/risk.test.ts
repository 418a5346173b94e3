import { dangerLevel, mcpRisk } from 'toolwright/policy';
import { expect, test } from 'vitest';
import { defaultRisk, isSideEffect } from '../../src/core/risk.js';
import type { McpAnnotations, Risk, SideEffect } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';

test('a side effect has its risk', () =>
  eachRow<[SideEffect, Risk, string]>(
    [
      ['none', 'none', 'safe'],
      ['readonly', 'low', 'safe'],
      ['mutating', 'medium', 'moderate'],
      ['network', 'high', 'dangerous'],
      ['blocking', 'low', 'safe'],
      ['spawns', 'critical', 'dangerous'],
    ],
    ([sideEffect, risk, danger]) => {
      expect(isSideEffect(sideEffect)).toBe(true);
      expect(defaultRisk(sideEffect)).toBe(risk);
      expect(dangerLevel(risk)).toBe(danger);
    },
  ));

test('other values are not side effects', () =>
  eachRow(['', 'write', 'toString', 1, null], (value) => expect(isSideEffect(value)).toBe(false)));

test('the annotations of an MCP tool give its risk', () =>
  eachRow<[McpAnnotations | undefined, Risk]>(
    [
      [undefined, 'high'],
      [{}, 'high'],
      [{ readOnlyHint: true }, 'low'],
      [{ readOnlyHint: false }, 'high'],
      [{ destructiveHint: true }, 'critical'],
      [{ destructiveHint: false }, 'high'],
      [{ readOnlyHint: true, destructiveHint: true }, 'critical'],
      [{ readOnlyHint: true, destructiveHint: false }, 'low'],
      [{ readOnlyHint: 'true' as never }, 'high'],
    ],
    ([annotations, risk]) => expect(mcpRisk(annotations)).toBe(risk),
  ));
