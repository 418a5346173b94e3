import type { CallScope } from '../../core/context.js';

/** The summary of a skill in lists and search results. */
export interface SkillSummary {
  readonly name: string;
  /** What the skill does and when to use it; one line. */
  readonly description: string;
  /** The name of its tier. */
  readonly tier: string;
  /** The absolute canonical path. */
  readonly folder: string;
  /** Folders of skills with the same name in later tiers, which this skill hides. */
  readonly hides: readonly string[];
}

/** A whole skill. */
export interface Skill extends SkillSummary {
  /** Markdown, without the front matter. */
  readonly text: string;
  /** Paths of the other files of the skill, relative to its folder; at most 100. */
  readonly files: readonly string[];
  /** The only tools to use with the skill, as permission rules. Default: all. */
  readonly allowedTools?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** A store of skills. */
export interface SkillStore {
  /** All skills. The method is synchronous, because the instructions of each turn cannot wait. */
  list(): readonly SkillSummary[];
  /** The skills that match a query, best first. */
  search(
    request: { readonly query: string; readonly limit: number },
    scope: CallScope,
  ): Promise<readonly SkillSummary[]> | readonly SkillSummary[];
  /** A skill; undefined for an unknown name. Rejects with a ToolError for a skill that cannot be used. */
  get(request: { readonly name: string }, scope: CallScope): Promise<Skill | undefined> | Skill | undefined;
}
