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

/** True for the six words of {@link SideEffect} and nothing else. */
export function isSideEffect(value: unknown): value is SideEffect {
  return typeof value === 'string' && Object.hasOwn(risks, value);
}
