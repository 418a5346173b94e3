/** True for promises and their look-alikes. */
export function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return typeof (value as Partial<PromiseLike<Value>>).then === 'function';
}

/** An answer as it is; one that comes later decides nothing, and must not become an unhandled rejection. */
export function heard<Answer>(answer: Answer): Answer {
  if (isThenable(answer)) Promise.resolve(answer).catch(() => {});
  return answer;
}
