const maxPauseMs = 86_400_000;

/**
 * The milliseconds of an HTTP `Retry-After` header, which holds seconds or a date, at most a day; undefined without a
 * pause.
 */
export function retryAfter(header: string | null | undefined, now: number = Date.now()): number | undefined {
  const pauseMs = /^\s*\d+\s*$/.test(header ?? '') ? Number(header) * 1_000 : Date.parse(header ?? '') - now;
  return pauseMs > 0 ? Math.min(pauseMs, maxPauseMs) : undefined;
}
