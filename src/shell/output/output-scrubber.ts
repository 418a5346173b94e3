import type { Scrubber } from '../../secrets/scrubber.js';

/** Takes secrets out of text, whole or in pieces that were cut anywhere. */
export type OutputScrubber = Pick<Scrubber, 'text' | 'stream'>;

/** Changes nothing. */
export const noScrubber: OutputScrubber = {
  text: (text) => text,
  stream: () => ({ push: (chunk) => chunk, end: () => '' }),
};
