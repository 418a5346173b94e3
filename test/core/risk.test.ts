import { expect, test } from 'vitest';
import {
  dangerLevel,
  defaultRisk,
  isSideEffect,
  type McpAnnotations,
  mcpRisk,
  type Risk,
  type SideEffect,
} from '../../src/core/risk.js';

test.each<[SideEffect, Risk, string]>([
  ['none', 'none', 'safe'],
  ['readonly', 'low', 'safe'],
  ['mutating', 'medium', 'moderate'],
  ['network', 'high', 'dangerous'],
  ['blocking', 'low', 'safe'],
  ['spawns', 'critical', 'dangerous'],
])('side effect %s has risk %s and is %s', (sideEffect, risk, danger) => {
  expect(isSideEffect(sideEffect)).toBe(true);
  expect(defaultRisk(sideEffect)).toBe(risk);
  expect(dangerLevel(risk)).toBe(danger);
});

test.each(['', 'write', 'toString', 1, null])('%j is no side effect', (value) => {
  expect(isSideEffect(value)).toBe(false);
});

test.each<[McpAnnotations | undefined, Risk]>([
  [undefined, 'high'],
  [{}, 'high'],
  [{ readOnlyHint: true }, 'low'],
  [{ readOnlyHint: false }, 'high'],
  [{ destructiveHint: true }, 'critical'],
  [{ destructiveHint: false }, 'high'],
  [{ readOnlyHint: true, destructiveHint: true }, 'critical'],
  [{ readOnlyHint: true, destructiveHint: false }, 'low'],
  [{ readOnlyHint: 'true' as never }, 'high'],
])('an MCP tool with the annotations %j is of risk %s', (annotations, risk) => {
  expect(mcpRisk(annotations)).toBe(risk);
});
