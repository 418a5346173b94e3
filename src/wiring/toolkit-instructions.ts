/** What the text for the system prompt is made from. */
export interface InstructionFacts {
  readonly root: string;
  readonly additionalRoots: readonly string[];
  readonly paths: 'reject' | 'resolve';
  /** The names of the tools that the caller is offered. */
  readonly offered: readonly string[];
  readonly keepsFolder: boolean;
  readonly readBeforeWrite: boolean;
}

/** More additional roots than these are counted. */
const maxNamedRoots = 2;
/** More tools of MCP servers than are worth their tokens are left to the definitions. */
const maxNamedTools = 24;

/** The text of `toolkit.instructions`: short sentences about what cannot be read from the definitions one by one. */
export function instructionsOf(facts: InstructionFacts): string {
  const { root, additionalRoots, paths, offered, keepsFolder, readBeforeWrite } = facts;
  const has = (...names: readonly string[]) => names.some((name) => offered.includes(name));
  const named = additionalRoots.slice(0, maxNamedRoots).join(', ');
  const more = additionalRoots.length > maxNamedRoots ? ` and ${additionalRoots.length - maxNamedRoots} more` : '';
  const own = offered.filter((name) => !name.startsWith('mcp__'));
  const listed = own.slice(0, maxNamedTools).join(', ');
  return [
    `Workspace: ${root}. ${paths === 'resolve' ? 'Paths are relative to it or absolute.' : 'Paths are absolute.'}`,
    additionalRoots.length > 0 && `Also open: ${named}${more}. Nothing outside can be read or written.`,
    has('Grep', 'Glob') && 'Find files with Glob and text with Grep, not with shell commands.',
    has('Edit') &&
      `To change a file, use Edit: copy old_string exactly from Read, without line numbers and long enough to occur once.${readBeforeWrite ? ' A file must be read before it is changed.' : ''}`,
    has('Write') && 'Write replaces a whole file.',
    has('Bash') &&
      `Bash runs each command in a shell of its own${keepsFolder ? '; the working directory is kept' : ' that starts in the workspace'}. Commands cannot ask for input.`,
    has('Bash') &&
      has('TaskOutput') &&
      'Start long commands and servers with run_in_background and read them with TaskOutput.',
    `Tools: ${listed}${own.length > maxNamedTools ? ', …' : ''}${own.length < offered.length ? ', and those of MCP servers (mcp__server__tool)' : ''}.`,
    'A result that starts with "Error:" says what to do next.',
  ]
    .filter((sentence) => sentence !== false)
    .join('\n');
}
