import type { CallScope } from '../core/context.js';

/** A page, and what somebody wants to know from it. */
export interface SummaryRequest {
  readonly text: string;
  readonly prompt: string;
  /** Where the text is from. */
  readonly url: string;
}

/** Answers a question from the text of a page, with a model of the host; `summaryPrompt` says how to ask that. */
export interface Summarizer {
  summarize(request: SummaryRequest, scope: CallScope): Promise<string>;
}
