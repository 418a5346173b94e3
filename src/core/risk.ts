/** The strongest effect that a tool can have, for any input. */
export type SideEffect = 'none' | 'readonly' | 'mutating' | 'network' | 'blocking' | 'spawns';

/** How much harm one call can do, from least to most. */
export type Risk = 'none' | 'low' | 'medium' | 'high' | 'critical';

/** The three-step view of {@link Risk} that many user interfaces show. */
export type DangerLevel = 'safe' | 'moderate' | 'dangerous';

const risks = {
  none: 'none',
  readonly: 'low',
  mutating: 'medium',
  network: 'high',
  blocking: 'low',
  spawns: 'critical',
} as const satisfies Record<SideEffect, Risk>;

const dangers = {
  none: 'safe',
  low: 'safe',
  medium: 'moderate',
  high: 'dangerous',
  critical: 'dangerous',
} as const satisfies Record<Risk, DangerLevel>;

/** The default risk of each side effect. */
export function defaultRisk(sideEffect: SideEffect): Risk {
  return risks[sideEffect];
}

/** `none` and `low` are safe, `medium` is moderate, `high` and `critical` are dangerous. */
export function dangerLevel(risk: Risk): DangerLevel {
  return dangers[risk];
}

/** The hints of an MCP server about the harm that one of its tools can do. */
export interface McpAnnotations {
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  /** Whether a second call with the same input changes nothing more. This hint does not affect the risk. */
  readonly idempotentHint?: boolean | undefined;
}

/**
 * The risk of an MCP tool: critical with the destructive hint, even together with the read-only hint; low with the
 * read-only hint alone; high with neither.
 */
export function mcpRisk({ readOnlyHint, destructiveHint }: McpAnnotations = {}): Risk {
  if (destructiveHint === true) return 'critical';
  return readOnlyHint === true ? 'low' : 'high';
}

export function isSideEffect(value: unknown): value is SideEffect {
  return typeof value === 'string' && Object.hasOwn(risks, value);
}
