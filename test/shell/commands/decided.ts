import { createPermissions } from '../../../src/core.js';

/** A request for Bash, without its input. */
export const bash = {
  callId: 'c',
  tool: 'Bash',
  sideEffect: 'network',
  risk: 'high',
  title: 'Bash',
  warnings: [],
  suggestions: [],
} as const;

/** The decision about a command under deny rules, in a mode without other questions. */
export function decided(command: string, deny: readonly string[]): string {
  const permissions = createPermissions({ root: '/ws', mode: 'bypassPermissions', deny });
  return permissions.explain({ ...bash, input: { command } }).behavior;
}
