/**
 * Goes on with a value: at once where it is there, when it comes where it is promised. So a call that waits for nothing
 * passes through the stages in one piece, and a stage is written once for both.
 */
export function andThen<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
