/** The milliseconds that an HTTP `Retry-After` asks for, which is a number of seconds or a moment; undefined for none. */
export function retryAfter(header: string | null | undefined, now: number = Date.now()): number | undefined {
  const pauseMs = /^\s*\d+\s*$/.test(header ?? '') ? Number(header) * 1_000 : Date.parse(header ?? '') - now;
  return pauseMs > 0 ? pauseMs : undefined;
}
