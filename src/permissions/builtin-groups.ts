import { builtinsThat, knownNames, splitWords } from '../core/tool-names.js';

/** The optional tools of this package, which a program registers itself. */
const further =
  'process skill_search Skill message cron browser image analyze_image tts canvas nodes gateway memory_search memory_get';

const groups = ['fs', 'runtime', 'web', 'sessions', 'planning', 'messaging', 'memory', 'ui', 'automation', 'mcp'];

/**
 * The groups that every policy knows, with their built-in tools. A tool can declare these groups and others. `planning`
 * contains the tools for todos, tasks, plan mode and questions to the user. `native` contains all tools of this
 * package; `goclaw` is the name of the same group in goclaw. `memory`, `ui` and `automation` contain no built-in tools;
 * optional tools and tools of the host declare them.
 */
export const builtinGroups: Readonly<Record<string, readonly string[]>> = Object.freeze({
  ...Object.fromEntries(
    groups.map((group) => [group, builtinsThat((tool) => splitWords(tool.groups).includes(group))]),
  ),
  native: [...knownNames, ...splitWords(further)],
  goclaw: [...knownNames, ...splitWords(further)],
});

/**
 * The prefix of the group of one MCP server, `mcp:{server}`. The group is valid even while its server is not connected.
 */
export const serverGroupPrefix = 'mcp:';

/** The prefix of a policy entry for all tools of one server. */
export const serverGroup = `group:${serverGroupPrefix}`;
