import type { CallScope } from '../core/context.js';

/** Stores output that does not fit into a result, so that the model can read it from a file. */
export interface OutputStore {
  /** Saves the full text and resolves with the absolute path of its file. */
  save(text: string, scope: CallScope): Promise<string>;
}
