/**
 * Has two overloads, because an overloaded type gives a callback no contextual type. The callback then gets its
 * contextual type from the other member of {@link Answering}, which keeps string literals.
 */
interface Answers<Parameters extends readonly unknown[], Answer> {
  (...parameters: Parameters): Answer | Promise<Answer>;
  <_>(...parameters: Parameters): Answer | Promise<Answer>;
}

/**
 * A synchronous or asynchronous callback whose answer may be a string literal: both `() => 'deny'` and `async () =>
 * 'deny'` fit. With a plain `Answer | Promise<Answer>` TypeScript would widen the literal of an async function to
 * `string`.
 */
export type Answering<Parameters extends readonly unknown[], Answer> =
  | Answers<Parameters, Answer>
  // This member gives literals their contextual type: through the promise for an async function, through the
  // intersection for any other.
  | ((...parameters: Parameters) => Promise<Answer> | (Answer & Promise<Answer>));
