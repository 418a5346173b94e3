import type { Tool } from '../core/tool.js';

/** What the text for the system prompt is made from. */
export interface InstructionFacts {
  readonly root: string;
  readonly additionalRoots: readonly string[];
  readonly paths: 'reject' | 'resolve';
  /** The tools that the caller is offered. */
  readonly offered: readonly Tool[];
}

/** More additional roots than these are counted. */
const maxNamedRoots = 2;
/** More tools of MCP servers than are worth their tokens are left to the definitions. */
const maxNamedTools = 24;

/** The text of `toolkit.instructions`: short sentences about what cannot be read from the definitions one by one. */
export function instructionsOf(facts: InstructionFacts): string {
  const { root, additionalRoots, paths } = facts;
  const offered = facts.offered.map(({ name }) => name);
  const names = new Set(offered);
  const named = additionalRoots.slice(0, maxNamedRoots).join(', ');
  const more = additionalRoots.length > maxNamedRoots ? ` and ${additionalRoots.length - maxNamedRoots} more` : '';
  const own = offered.filter((name) => !name.startsWith('mcp__'));
  const listed = own.slice(0, maxNamedTools).join(', ');
  return [
    `Workspace: ${root}. ${paths === 'resolve' ? 'Paths are relative to it or absolute.' : 'Paths are absolute.'}`,
    additionalRoots.length > 0 && `Also open: ${named}${more}. Nothing outside can be read or written.`,
    ...new Set(facts.offered.map((tool) => tool.adviceOf?.(names))),
    offered.length > 0 &&
      `Tools: ${listed}${own.length > maxNamedTools ? ', …' : ''}${own.length < offered.length ? ', and those of MCP servers (mcp__server__tool)' : ''}.`,
    'A result that starts with "Error:" says what to do next.',
  ]
    .filter((sentence) => typeof sentence === 'string')
    .join('\n');
}
