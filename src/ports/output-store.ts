import type { CallScope } from '../core/context.js';

/** Keeps what does not fit into a result, so that the model can read on. */
export interface OutputStore {
  /** Saves the full text and answers the absolute path of the file that holds it. */
  save(text: string, scope: CallScope): Promise<string>;
}
