/** What a tool does to the world at most, whatever its input. */
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

/** The risk of a tool that does not judge its input: a fixed table from side effect to risk. */
export function defaultRisk(sideEffect: SideEffect): Risk {
  return risks[sideEffect];
}

/** `none` and `low` are safe, `medium` is moderate, `high` and `critical` are dangerous. */
export function dangerLevel(risk: Risk): DangerLevel {
  return dangers[risk];
}

/**
 * What an MCP server says of one of its tools: the hints of the Model Context Protocol that tell how much harm it can
 * do.
 */
export interface McpAnnotations {
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  /** Whether a call that is sent twice does no more than once. It says nothing of the risk. */
  readonly idempotentHint?: boolean | undefined;
}

/**
 * The risk of an MCP tool: critical when it says that it destroys, low when it says that it only reads, high when it
 * says neither. A server that says both is taken at its worse word.
 */
export function mcpRisk({ readOnlyHint, destructiveHint }: McpAnnotations = {}): Risk {
  if (destructiveHint === true) return 'critical';
  return readOnlyHint === true ? 'low' : 'high';
}

/** True for the six words of {@link SideEffect} and nothing else. */
export function isSideEffect(value: unknown): value is SideEffect {
  return typeof value === 'string' && Object.hasOwn(risks, value);
}
