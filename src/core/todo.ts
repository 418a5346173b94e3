/** One step of an agent's list of todos. */
export interface Todo {
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
  /** The text to show while the step is in progress: "Running the tests". */
  readonly activeForm: string;
}
