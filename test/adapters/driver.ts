import type { ToolCall } from '../../src/core/call.js';
import { until } from '../support/until.js';
import { callsOf, type GoldenWorld, goldenSteps, goldenWorld, settled, treeOf } from './golden-set.js';

/** The result of one call as sent to a model. */
export interface ModelReads {
  readonly text: string;
  /** The images for the model. */
  readonly images?: number;
  /** The failure marker, if the wire format has one. */
  readonly isError?: boolean;
}

/** A framework with a model that makes given calls. */
export interface Driver {
  readonly name: string;
  /** Runs the calls of one message of the model. Returns the results for the model, by call id. */
  step(world: GoldenWorld, calls: readonly ToolCall[], signal: AbortSignal): Promise<Record<string, ModelReads>>;
  /** Calls that the framework answers itself, with the answers, by call id. */
  readonly answersItself?: Readonly<Record<string, RegExp>>;
  /** The wire format does not say whether a call failed. */
  readonly hidesFailure?: true;
  /** The wire format does not support images. */
  readonly hidesImages?: true;
}

/** The outcome of the golden set. */
export interface Golden {
  readonly tree: Record<string, string>;
  readonly calls: Record<string, { readonly code: string | undefined } & ModelReads>;
}

/** Runs the golden set through a framework. */
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
      // The framework aborts at once; the call ends by itself.
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
      // A server assigns its own call ids, and gets the calls in sequence.
      const result = results.find(({ callId }) => callId === id) ?? results[place];
      const reads = step.stop === true ? { text: result?.output ?? '' } : (texts[id] ?? { text: '' });
      const code = result === undefined ? undefined : result.ok ? 'ok' : result.error.code;
      calls[id] = { code, ...reads, text: settled(reads.text, world.root).replaceAll(/\s+/g, ' ').trim() };
    }
  }
  return { tree: treeOf(world.root), calls };
}
