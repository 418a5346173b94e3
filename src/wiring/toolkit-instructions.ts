import type { Tool } from '../core/tool.js';
import { cutMiddle } from '../text/cut-middle.js';

/** What the text for the system prompt is made from. */
export interface InstructionFacts {
  readonly root: string;
  readonly additionalRoots: readonly string[];
  readonly paths: 'reject' | 'resolve';
  /** The tools that the caller is offered. */
  readonly offered: readonly Tool[];
}

/** Of the whole text, for any roots. */
const maxTokens = 250;
/** English, and names of tools, have more than this in a token. */
const charsPerToken = 4;
/** More additional roots than these are counted. */
const maxNamedRoots = 2;
/** More tools of MCP servers than are worth their tokens are left to the definitions. */
const maxNamedTools = 24;

/** The text of `toolkit.instructions`: short sentences about what cannot be read from the definitions one by one. */
export function instructionsOf(facts: InstructionFacts): string {
  const { additionalRoots } = facts;
  const offered = facts.offered.map(({ name }) => name);
  const names = new Set(offered);
  const own = offered.filter((name) => !name.startsWith('mcp__'));
  const listed = own.slice(0, maxNamedTools).join(', ');
  const textWith = (root: string, named: readonly string[]) =>
    [
      `Workspace: ${root}. ${facts.paths === 'resolve' ? 'Paths are relative to it or absolute.' : 'Paths are absolute.'}`,
      additionalRoots.length > 0 &&
        `Also open: ${counted(named, additionalRoots.length)}. Nothing outside can be read or written.`,
      ...new Set(facts.offered.map((tool) => tool.adviceOf?.(names))),
      offered.length > 0 &&
        `Tools: ${listed}${own.length > maxNamedTools ? ', …' : ''}${own.length < offered.length ? ', and those of MCP servers (mcp__server__tool)' : ''}.`,
      'A result that starts with "Error:" says what to do next.',
    ]
      .filter((sentence) => typeof sentence === 'string')
      .join('\n');
  let room = maxTokens - textWith(cutMark, []).length / charsPerToken;
  const root = shortened(facts.root, room);
  room -= mostTokens(root);
  const named = additionalRoots.slice(0, maxNamedRoots).filter((path) => {
    const fits = mostTokens(path) < room;
    if (fits) room -= mostTokens(path) + 1;
    return fits;
  });
  return textWith(root, named);
}

function counted(named: readonly string[], all: number): string {
  if (named.length === 0) return `${all} other folders`;
  return `${named.join(', ')}${all > named.length ? ` and ${all - named.length} more` : ''}`;
}

const cutMark = ' (shortened; results show it whole)';

/** A path without its middle, where it could take more tokens than these. */
function shortened(path: string, tokens: number): string {
  if (mostTokens(path) <= tokens) return path;
  let chars = Math.min(path.length, Math.max(0, Math.floor(3 * tokens)));
  const cut = () => {
    const { head, tail } = cutMiddle(path, chars) ?? { head: path, tail: '' };
    return `${head}…${tail}`;
  };
  while (chars > 0 && mostTokens(cut()) > tokens) chars--;
  return `${cut()}${cutMark}`;
}

/**
 * No fewer tokens than a model takes for a path: words of letters have at most two in three letters, three digits are
 * one, and of other characters each byte may be one.
 */
function mostTokens(path: string): number {
  let tokens = 0;
  for (const [part] of path.matchAll(/[A-Z]*[a-z]+|[A-Z]+|\d{1,3}|./gsu))
    tokens += /^[A-Za-z]/.test(part)
      ? Math.ceil((2 * part.length) / 3)
      : /^\d/.test(part)
        ? 1
        : Buffer.byteLength(part);
  return tokens;
}
