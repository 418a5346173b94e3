import picomatch from 'picomatch';

/** The glob matcher; only this file imports the package. */
export const globMatcher: typeof picomatch = picomatch;
