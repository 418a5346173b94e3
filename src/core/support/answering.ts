/**
 * Answers at once or later. Of its two forms neither tells the compiler what a function written in its place should be
 * like; {@link Answering} does.
 */
interface Answers<Parameters extends readonly unknown[], Answer> {
  (...parameters: Parameters): Answer | Promise<Answer>;
  <_>(...parameters: Parameters): Answer | Promise<Answer>;
}

/**
 * A callback that answers at once or later, for answers that may be single words: `() => 'deny'` and `async () =>
 * 'deny'` both are one. Written as `Answer | Promise<Answer>`, an async function that returns one word would be taken
 * to return any text.
 */
export type Answering<Parameters extends readonly unknown[], Answer> =
  | Answers<Parameters, Answer>
  // The last member keeps words what they are: a promise throughout for an async function, with the words themselves in
  // it for any other.
  | ((...parameters: Parameters) => Promise<Answer> | (Answer & Promise<Answer>));
