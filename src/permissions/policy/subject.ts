import type { Tool } from '../../core/tool.js';
import { isMcpName, type McpOrigin } from '../../core/tool-names.js';
import { serverGroupPrefix } from '../rules/groups.js';

/** Answers what a policy asks about the tools that are registered, as they stand at that moment. */
export interface ToolCatalogue {
  /** Names that lead to the tool of this name, itself not among them. */
  aliasesOf(name: string): readonly string[];
  /** Groups of the tool of this name, beside those it declares. */
  groupsOf(name: string): readonly string[];
}

/** What the lists of a policy compare with their entries. */
export interface PolicyLabels {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly groups: readonly string[];
}

/** A tool as a policy sees it. */
export interface PolicySubject {
  readonly exact: PolicyLabels;
  /** The same in small letters. */
  readonly folded: PolicyLabels;
  readonly mcp: McpOrigin | undefined;
  /** An MCP tool by its name, of which nothing says the server. */
  readonly isOfUnknownServer: boolean;
}

interface Remembered {
  readonly subject: PolicySubject;
  readonly name: string;
  readonly declared: readonly string[];
  readonly aliases: readonly string[];
  readonly given: readonly string[];
}

/** The subjects of a policy, each made once while nothing about its tool changes. */
export class PolicySubjects {
  readonly #catalogue: ToolCatalogue;
  readonly #remembered = new WeakMap<Tool, Remembered>();

  constructor(catalogue: ToolCatalogue) {
    this.#catalogue = catalogue;
  }

  of(tool: Tool): PolicySubject {
    const { name, groups: declared, mcp } = tool;
    const aliases = this.#catalogue.aliasesOf(name);
    const given = this.#catalogue.groupsOf(name);
    const last = this.#remembered.get(tool);
    if (last?.name === name && last.declared === declared && isSame(last.aliases, aliases) && isSame(last.given, given))
      return last.subject;
    const subject = subjectOf({ name, aliases, groups: [...declared, ...given] }, mcp);
    this.#remembered.set(tool, { subject, name, declared, aliases, given });
    return subject;
  }
}

function subjectOf({ name, aliases, groups }: PolicyLabels, mcp: McpOrigin | undefined): PolicySubject {
  // Where a tool says which server it is of, its name is not taken apart.
  const hasServer = mcp !== undefined || groups.some((group) => group.startsWith(serverGroupPrefix));
  const isOfUnknownServer = !hasServer && isMcpName(name);
  const exact = { name, aliases, groups: hasServer || isOfUnknownServer ? [...groups, 'mcp'] : groups };
  const folded = { name: fold(name), aliases: exact.aliases.map(fold), groups: exact.groups.map(fold) };
  return { exact, folded, mcp, isOfUnknownServer };
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left === right || (left.length === right.length && left.every((item, index) => item === right[index]));
}

function fold(text: string): string {
  return text.toLowerCase();
}
