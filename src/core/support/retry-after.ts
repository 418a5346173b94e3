const maxPauseMs = 86_400_000;

/**
 * The pause that an HTTP `Retry-After` header asks for, in milliseconds, at most a day. The header holds seconds or a
 * date. Undefined if there is no pause.
 */
export function retryAfter(header: string | null | undefined, now: number = Date.now()): number | undefined {
  const pauseMs = /^\s*\d+\s*$/.test(header ?? '') ? Number(header) * 1_000 : Date.parse(header ?? '') - now;
  return pauseMs > 0 ? Math.min(pauseMs, maxPauseMs) : undefined;
}
