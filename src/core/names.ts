/** Other names under which models know the built-in tools. An alias counts only where no tool has that name itself, and leads to a tool in one step. */
export const toolAliases: Readonly<Record<string, string>> = Object.freeze({
  FileRead: 'Read',
  read_file: 'Read',
  FileWrite: 'Write',
  write_file: 'Write',
  FileEdit: 'Edit',
  edit_file: 'Edit',
  str_replace: 'Edit',
  exec: 'Bash',
  shell: 'Bash',
  run_command: 'Bash',
  search: 'Grep',
  search_files: 'Grep',
  find_files: 'Glob',
  web_fetch: 'WebFetch',
  web_search: 'WebSearch',
  Task: 'Agent',
  todo_write: 'TodoWrite',
  KillShell: 'TaskStop',
  KillBash: 'TaskStop',
  BashOutput: 'TaskOutput',
  ListMcpResourcesTool: 'ListMcpResources',
  ReadMcpResourceTool: 'ReadMcpResource',
});

/** True for names of the form `mcp__{server}__{tool}`. */
export function isMcpName(name: string): boolean {
  return name.startsWith('mcp__');
}

const autoAllowed: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep', 'ListMcpResources', 'ReadMcpResource']);

/** True for the five built-in tools that only look and therefore run without asking. */
export function isAutoAllowedName(name: string): boolean {
  return autoAllowed.has(name);
}

const builtinNames: ReadonlyMap<string, string> = new Map(
  [...Object.entries(toolAliases), ...Object.values(toolAliases).map((name) => [name, name] as const)].map(([alias, name]) => [
    alias.toLowerCase(),
    name,
  ]),
);

/** The built-in tool that a name means, by the usual aliases and in any letter case. */
export function builtinName(name: string): string | undefined {
  return builtinNames.get(name.toLowerCase());
}
