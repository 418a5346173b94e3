import type { Scrubber } from '../../ports/scrubber.js';

/** Removes secrets from text, whole or in pieces cut anywhere. */
export type OutputScrubber = Pick<Scrubber, 'text' | 'stream'>;

/** Changes nothing. */
export const noScrubber: OutputScrubber = {
  text: (text) => text,
  stream: () => ({ push: (chunk) => chunk, end: () => '' }),
};
