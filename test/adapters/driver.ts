import type { ToolCall } from '../../src/core/call.js';
import { until } from '../support/until.js';
import { callsOf, type GoldenWorld, goldenSteps, goldenWorld, settled, treeOf } from './golden-set.js';

/** What a model is sent as the answer to one call. */
export interface ModelReads {
  readonly text: string;
  /** Images that it is shown. */
  readonly images?: number;
  /** What says that the call failed, where the wire format has something for it. */
  readonly isError?: boolean;
}

/** A framework with a model that makes the calls it is told to make. */
export interface Driver {
  readonly name: string;
  /** Runs calls that stand in one message of the model; gives what the model reads then, by call id. */
  step(world: GoldenWorld, calls: readonly ToolCall[], signal: AbortSignal): Promise<Record<string, ModelReads>>;
  /** Calls that the framework answers by itself, and how, by call id. */
  readonly answersItself?: Readonly<Record<string, RegExp>>;
  /** The wire format does not say whether a call failed. */
  readonly hidesFailure?: true;
  /** The wire format takes no images. */
  readonly hidesImages?: true;
}

/** What came of the golden set. */
export interface Golden {
  readonly tree: Record<string, string>;
  readonly calls: Record<string, { readonly code: string | undefined } & ModelReads>;
}

/** Sends the golden set through a framework. */
export async function drive(driver: Driver): Promise<Golden> {
  const world = goldenWorld();
  const calls: Golden['calls'] = {};
  for (const [index, step] of goldenSteps(world.root).entries()) {
    const made = callsOf(step, index);
    const stop = new AbortController();
    const before = world.results.length;
    const begun = world.started.size;
    const read = driver.step(world, made, stop.signal);
    if (step.stop === true) {
      // The framework gives up at once; the call ends by itself.
      read.catch(() => undefined);
      await until(() => world.started.size > begun);
      stop.abort();
      await until(() => world.results.length > before);
    }
    const texts = await read.catch((thrown: unknown): Record<string, ModelReads> => {
      if (step.stop === true) return {};
      throw thrown;
    });
    const results = world.results.slice(before);
    for (const [place, { id }] of made.entries()) {
      // A server gives calls ids of its own, and has them one after the other.
      const result = results.find(({ callId }) => callId === id) ?? results[place];
      const reads = step.stop === true ? { text: result?.output ?? '' } : (texts[id] ?? { text: '' });
      const code = result === undefined ? undefined : result.ok ? 'ok' : result.error.code;
      calls[id] = { code, ...reads, text: settled(reads.text, world.root).replaceAll(/\s+/g, ' ').trim() };
    }
  }
  return { tree: treeOf(world.root), calls };
}
