import type { CallScope } from '../core/context.js';

/** A page, and a question about it. */
export interface SummaryRequest {
  readonly text: string;
  readonly prompt: string;
  /** The address of the page. */
  readonly url: string;
}

/** Answers a question about a page with a model of the host. `summaryPrompt` makes the prompt for the model. */
export interface Summarizer {
  summarize(request: SummaryRequest, scope: CallScope): Promise<string>;
}
