import { builtinsThat, wordsOf } from '../../core/tool-names.js';

const inProfile = (name: string) => builtinsThat(({ profiles }) => wordsOf(profiles).includes(name));

/**
 * The profiles that every policy knows: what a caller starts from. `full` limits nothing; `coding` changes files, runs
 * commands, starts helpers and makes images, but does not reach the web or MCP servers; `messaging` talks to people and sessions;
 * `minimal` only says how the session stands.
 */
export const builtinProfiles: Readonly<Record<string, readonly string[]>> = Object.freeze({
  full: ['*'],
  coding: ['group:fs', 'group:runtime', 'group:sessions', 'group:memory', 'group:planning', 'image'],
  messaging: ['group:messaging', ...inProfile('messaging')],
  minimal: inProfile('minimal'),
});
