/**
 * The profiles that every policy knows: what a caller starts from. `full` limits nothing; `coding` changes files, runs
 * commands and starts helpers, but does not reach the web or MCP servers; `messaging` talks; `minimal` only asks and
 * plans.
 */
export const builtinProfiles: Readonly<Record<string, readonly string[]>> = Object.freeze({
  full: ['*'],
  coding: ['group:fs', 'group:runtime', 'group:sessions', 'group:memory', 'group:planning'],
  messaging: ['group:messaging', 'group:planning'],
  minimal: ['group:planning'],
});
