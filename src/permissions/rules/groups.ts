import { builtinsThat, knownNames, splitWords } from '../../core/tool-names.js';

/** The tools of this package that a program registers for itself. */
const further =
  'process skill_search Skill message cron browser image analyze_image tts canvas nodes gateway memory_search memory_get';

const groups = ['fs', 'runtime', 'web', 'sessions', 'planning', 'messaging', 'memory', 'ui', 'automation', 'mcp'];

/**
 * The groups that every policy knows, with the built-in tools in them. Tools join further ones, or these, by declaring
 * them. `planning` is what stays inside the conversation, `native` (or `goclaw`) every tool of this package;
 * `memory`, `ui` and `automation` are for tools that the host registers.
 */
export const builtinGroups: Readonly<Record<string, readonly string[]>> = Object.freeze({
  ...Object.fromEntries(
    groups.map((group) => [group, builtinsThat((tool) => splitWords(tool.groups).includes(group))]),
  ),
  native: [...knownNames, ...splitWords(further)],
  goclaw: [...knownNames, ...splitWords(further)],
});

/** What begins the group of one server, `mcp:{server}`: a group that may come and go while the policy stands. */
export const serverGroupPrefix = 'mcp:';

/** What begins an entry of a policy for all tools of one server. */
export const serverGroup = `group:${serverGroupPrefix}`;
