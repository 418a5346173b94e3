import type { CallScope } from '../../core/context.js';

/** A skill as it is listed and found. */
export interface SkillSummary {
  readonly name: string;
  /** What it does and when to use it, in one line. */
  readonly description: string;
  /** The tier that it stands in. */
  readonly tier: string;
  /** Absolute and canonical. */
  readonly folder: string;
  /** Folders of other skills of this name, which this one hides. */
  readonly hides: readonly string[];
}

/** A skill as an agent follows it. */
export interface Skill extends SkillSummary {
  /** Markdown, without the front matter. */
  readonly text: string;
  /** Its other files, by their paths from its folder; the first hundred. */
  readonly files: readonly string[];
  /** The only tools that it is to be followed with, as permission rules name them. Default: any. */
  readonly allowedTools?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** Where skills are kept. */
export interface SkillStore {
  /** All of them, for the instructions of every turn: answered at once. */
  list(): readonly SkillSummary[];
  /** Those that fit a request, the best first. */
  search(
    request: { readonly query: string; readonly limit: number },
    scope: CallScope,
  ): Promise<readonly SkillSummary[]> | readonly SkillSummary[];
  /** Undefined where none has the name. Rejects with a ToolError for one that cannot be used. */
  get(request: { readonly name: string }, scope: CallScope): Promise<Skill | undefined> | Skill | undefined;
}
