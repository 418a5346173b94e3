import { cutMiddle } from '../core/text/cut.js';
import type { Tool } from '../core/tool.js';
import { isMcpName } from '../core/tool-names.js';

export interface InstructionFacts {
  readonly root: string;
  readonly additionalRoots: readonly string[];
  readonly paths: 'reject' | 'resolve';
  /** The tools offered to the caller. */
  readonly offered: readonly Tool[];
}

/** The budget for the text. Paths of folders are cut or left out to meet it; long tool names may exceed it. */
const maxTokens = 250;
/** A low estimate: English text and tool names usually have more characters per token. */
const charsPerToken = 4;
/** The minimum for the path of the root when long tool names use up the budget. */
const minRootTokens = 20;
/** The number of additional roots that are named; further roots are only counted. */
const maxNamedRoots = 2;
/** The maximum number of tools that are named. Tools of MCP servers are not named. */
const maxNamedTools = 24;

/** The text of `toolkit.instructions`: short sentences about facts that no single tool definition contains. */
export function instructionsOf(facts: InstructionFacts): string {
  const { additionalRoots } = facts;
  const offered = facts.offered.map(({ name }) => name);
  const names = new Set(offered);
  const own = facts.offered.flatMap(({ name, mcp }) => (mcp === undefined && !isMcpName(name) ? [name] : []));
  const listed = own.slice(0, maxNamedTools).join(', ');
  const textWith = (root: string, named: readonly string[]) => {
    const more = additionalRoots.length - named.length;
    const rest = more === 0 ? [] : [named.length === 0 ? `${more} other folders` : `${more} more`];
    return [
      `Workspace: ${root}. ${facts.paths === 'resolve' ? 'Paths are relative to it or absolute.' : 'Paths are absolute.'}`,
      additionalRoots.length > 0 &&
        `Also open: ${[named.join(', '), ...rest].filter(Boolean).join(' and ')}. Nothing outside can be read or written.`,
      ...new Set(facts.offered.map((tool) => tool.adviceOf?.(names))),
      offered.length > 0 &&
        `Tools: ${listed}${own.length > maxNamedTools ? ', …' : ''}${own.length < offered.length ? ', and those of MCP servers' : ''}.`,
      'A result that starts with "Error:" says what to do next.',
    ]
      .filter((sentence) => typeof sentence === 'string')
      .join('\n');
  };
  let room = maxTokens - textWith(cutMark, []).length / charsPerToken;
  const takes = (path: string) => {
    room -= mostTokens(path) + 1;
    return room >= 0;
  };
  const root = shortened(facts.root, Math.max(room, minRootTokens));
  room -= mostTokens(root);
  return textWith(root, additionalRoots.slice(0, maxNamedRoots).filter(takes));
}

const cutMark = ' (shortened; results show it whole)';

/** A path, shortened in the middle if it may have more than `tokens` tokens. */
function shortened(path: string, tokens: number): string {
  let shown = path;
  for (let chars = Math.min(path.length, 3 * tokens); mostTokens(shown) > tokens && chars > 1; chars--) {
    const { head, tail } = cutMiddle(path, Math.floor(chars) - 1) ?? { head: path, tail: '' };
    shown = `${head}…${tail}`;
  }
  return shown === path ? path : `${shown}${cutMark}`;
}

/**
 * An upper bound for the tokens of a path: two for three letters, one for three digits, one for each byte of other
 * characters.
 */
function mostTokens(path: string): number {
  const parts = path.match(/[A-Z]*[a-z]+|[A-Z]+|\d{1,3}|./gsu) ?? [];
  const most = (part: string) =>
    /^\d/.test(part) ? 1 : /^[A-Za-z]/.test(part) ? Math.ceil((2 * part.length) / 3) : Buffer.byteLength(part);
  return parts.reduce((sum, part) => sum + most(part), 0);
}
