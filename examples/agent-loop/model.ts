import type { ToolCall, ToolCallResult } from 'toolwright';

/** The answer of a model in one turn. Without calls the model is done. */
export interface Reply {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Set if the provider cut the answer. Its calls may be incomplete, so none of them runs. */
  readonly cutShort?: string;
}

/** A conversation with a model. It keeps its history in the wire format of the provider. */
export interface Model {
  /** Opens the conversation. */
  ask(task: string, signal: AbortSignal): Promise<Reply>;
  /** Sends one result for each call of the previous reply. */
  answer(results: readonly ToolCallResult[], signal: AbortSignal): Promise<Reply>;
}

/** Sends a request body and returns the body of the answer, both as JSON values. */
export type Send = (body: object, signal: AbortSignal) => Promise<unknown>;

/** The system prompt for every provider. */
export const instructions = [
  'You work on a small software project with the tools you are given.',
  'Paths are absolute. Look before you change, change as little as possible, and verify by running the tests.',
  'When you are done, say in one or two sentences what you changed.',
].join('\n');
