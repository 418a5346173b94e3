import type { ToolCall, ToolCallResult } from 'toolwright';

/** What a model says in one turn. Without calls it is done. */
export interface Reply {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Set when the provider ended the answer early; its calls may be incomplete and are not run. */
  readonly cutShort?: string;
}

/** A conversation with a model that keeps its own history, in the wire format of its provider. */
export interface Model {
  /** Opens the conversation. */
  ask(task: string, signal: AbortSignal): Promise<Reply>;
  /** Hands over one result for each call of the reply before. */
  answer(results: readonly ToolCallResult[], signal: AbortSignal): Promise<Reply>;
}

/** Sends one request body and gives back the answer's, both as JSON values. */
export type Send = (body: object, signal: AbortSignal) => Promise<unknown>;

/** The same few lines for every provider. */
export const instructions = [
  'You work on a small software project with the tools you are given.',
  'Paths are absolute. Look before you change, change as little as possible, and verify by running the tests.',
  'When you are done, say in one or two sentences what you changed.',
].join('\n');
