import picomatch from 'picomatch';

/** The glob matcher: the one place that knows the package. */
export const globMatcher: typeof picomatch = picomatch;
