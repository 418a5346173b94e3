import { argumentMistake, kindThatCame } from '../core/support/argument-mistake.js';
import type { BuiltinDependencies } from './builtin.js';

// Beside the toolkit and not in it: who holds a toolkit calls its tools, with consent, and does not reach around them.
const resources = new WeakMap<object, BuiltinDependencies>();

/** Lets tools that are made for a toolkit later have what its built-in ones were made with. */
export function lendResources(toolkit: object, lent: BuiltinDependencies): void {
  resources.set(toolkit, lent);
}

/** What the built-in tools of a toolkit were made with. Throws a TypeError for what `createToolkit` has not made. */
export function resourcesOf(factory: string, toolkit: unknown): BuiltinDependencies {
  const lent = typeof toolkit === 'object' && toolkit !== null ? resources.get(toolkit) : undefined;
  if (lent !== undefined) return lent;
  const write = 'const toolkit = createToolkit({ root }), and pass that very object';
  throw argumentMistake(`${factory} takes the toolkit that createToolkit made last`, kindThatCame(toolkit), write);
}
