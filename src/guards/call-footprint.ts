import { win32 } from 'node:path';
import type { Footprint, Touched } from '../core/tool.js';
import type { PreToolUseEvent } from '../ports/hooks.js';

/** What a call touches of which nothing is known. */
const everything: Footprint = { reads: 'everything', writes: 'everything' };

/** What the call of an event touches: everything where the event does not say. */
export function touchedBy({ footprint = everything }: PreToolUseEvent): Footprint {
  return footprint;
}

/**
 * Whether something written can matter to a call that touches `footprint`. A call that touches everything meets every
 * file, for paths are known by being absolute on some system, and no other key: nobody else goes by the todos of an
 * agent.
 */
export function canMatter(writes: Touched, { reads, writes: alsoWrites }: Footprint): boolean {
  if (typeof writes === 'string') return writes === 'everything';
  return writes.some((key) => meets(key, reads) || meets(key, alsoWrites));
}

function meets(key: string, touched: Touched): boolean {
  return typeof touched === 'string' ? touched === 'everything' && win32.isAbsolute(key) : touched.includes(key);
}
