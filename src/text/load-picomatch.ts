import { createRequire } from 'node:module';

/** The glob matcher, loaded on first use: the one place that knows the package. */
export function loadPicomatch(): typeof import('picomatch') {
  return createRequire(import.meta.url)('picomatch') as typeof import('picomatch');
}
