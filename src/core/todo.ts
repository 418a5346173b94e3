/** One step of the work at hand, as an agent writes it down. */
export interface Todo {
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
  /** The step in words for while it is done: "Running the tests". */
  readonly activeForm: string;
}
