/** Whether a value is an object with fields: not null, not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value has a `then` method, as promises do. */
export function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return typeof (value as Partial<PromiseLike<Value>>).then === 'function';
}

/**
 * Returns a value unchanged. If it is a promise, its rejection counts as handled, since the caller may not await it.
 */
export function withHandledRejection<Answer>(answer: Answer): Answer {
  if (isThenable(answer)) Promise.resolve(answer).catch(() => {});
  return answer;
}
