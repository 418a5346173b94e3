import { argumentMistake, kindName } from '../core/support/check-values.js';
import type { BuiltinDependencies } from './builtin.js';

// Not a property of the toolkit, because it would let any code that gets a toolkit bypass the permissions on files and
// shell.
const resources = new WeakMap<object, BuiltinDependencies>();

/** Stores the dependencies of a toolkit's tools, for tools that are added later. */
export function lendResources(toolkit: object, lent: BuiltinDependencies): void {
  resources.set(toolkit, lent);
}

/** The dependencies of a toolkit's tools. Throws a TypeError for an object that `createToolkit` did not make. */
export function resourcesOf(factory: string, toolkit: unknown): BuiltinDependencies {
  const lent = typeof toolkit === 'object' && toolkit !== null ? resources.get(toolkit) : undefined;
  if (lent !== undefined) return lent;
  const write = 'const toolkit = createToolkit({ root }), and pass this toolkit';
  throw argumentMistake(`${factory} takes the toolkit that createToolkit made`, kindName(toolkit), write);
}
