import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '../../core/error.js';
import {
  argumentMistake,
  assertOptions,
  kindOf,
  kindThatCame,
  type OptionKinds,
} from '../../core/support/check-values.js';
import type { WordIndex } from '../../core/text/word-index.js';
import { canonicalPath } from '../../files/paths/confinement.js';
import { filesOfSkill, readSkill, skillFile, skillVersion } from './skill-folder.js';
import type { Skill, SkillStore, SkillSummary } from './skill-store.js';

/** A folder that contains skill folders. */
export interface SkillTier {
  /** A label such as `workspace` or `global`. */
  readonly name: string;
  /** Absolute path; the folder may be missing. */
  readonly folder: string;
}

/** Options of {@link skillStore}. */
export interface SkillStoreOptions {
  /** Tiers in order of precedence: of skills with the same name, the first is used. */
  readonly tiers: readonly SkillTier[];
}

/** A skill folder that cannot be used. */
export interface SkillProblem {
  /** The path of its SKILL.md. */
  readonly path: string;
  readonly reason: string;
}

/** A store of skills in folders. */
export interface FolderSkills extends SkillStore {
  /** The folders of the tiers that currently exist, for the `additionalRoots` of a toolkit. */
  readonly folders: readonly string[];
  /** The skill folders that cannot be used. */
  problems(): readonly SkillProblem[];
}

const optionKinds: OptionKinds<SkillStoreOptions> = { tiers: kindOf.list };
const tierKinds: OptionKinds<SkillTier> = { name: kindOf.text, folder: kindOf.absolutePath };
const maxSkillsOfTier = 2_000;
const searched = {
  name: { weight: 2, textOf: ({ name }: SkillSummary) => name },
  description: { weight: 1, textOf: ({ description }: SkillSummary) => description },
};

/**
 * Creates a store of skills in folders: each folder in a tier that has a SKILL.md is a skill. Changed files are read
 * again on the next use. Symlinks out of the tier are refused. Throws a TypeError for invalid options.
 */
export function skillStore(options: SkillStoreOptions): FolderSkills {
  assertOptions('skillStore', options, optionKinds, 'tiers');
  for (const tier of options.tiers) {
    assertOptions('skillStore: each of tiers', tier, tierKinds, 'name', 'folder');
  }
  if (options.tiers.length === 0)
    throw argumentMistake('skillStore takes tiers', kindThatCame(options.tiers), "tiers: [{ name: 'global', folder }]");
  return new SkillFolders(options.tiers);
}

/** The result of reading a folder, valid until its file changes. */
interface Looked {
  readonly version: string;
  readonly skill?: Omit<SkillSummary, 'hides'>;
  readonly problem?: SkillProblem;
}

class SkillFolders implements FolderSkills {
  readonly #tiers: readonly SkillTier[];
  #looked: ReadonlyMap<string, Looked> = new Map();
  #list: readonly SkillSummary[] = [];
  #index: WordIndex<SkillSummary> | undefined;

  constructor(tiers: readonly SkillTier[]) {
    this.#tiers = tiers;
  }

  get folders(): readonly string[] {
    return this.#tiers.map(({ folder }) => folder).filter((folder) => existsSync(folder));
  }

  list(): readonly SkillSummary[] {
    const looked = new Map(this.#tiers.flatMap((tier) => this.#look(tier)));
    const before = this.#looked;
    this.#looked = looked;
    const isSame = looked.size === before.size && [...looked].every(([path, found]) => before.get(path) === found);
    if (isSame) return this.#list;
    const byName = new Map<string, SkillSummary>();
    for (const { skill } of looked.values()) {
      if (skill === undefined) continue;
      const first = byName.get(skill.name) ?? { ...skill, hides: [] };
      const isFirst = first.folder === skill.folder;
      byName.set(skill.name, isFirst ? first : { ...first, hides: [...first.hides, skill.folder] });
    }
    this.#list = [...byName.values()];
    return this.#list;
  }

  async search({ query, limit }: { readonly query: string; readonly limit: number }) {
    const { WordIndex: Index } = await import('../../core/text/word-index.js');
    const skills = this.list();
    if (this.#index?.holds(skills) !== true) this.#index = new Index(skills, searched);
    return this.#index.search(query).slice(0, limit);
  }

  get({ name }: { readonly name: string }): Skill | undefined {
    const listed = this.list().find((skill) => skill.name === name);
    if (listed === undefined) {
      const problem = this.problems().find(({ path }) => path.endsWith(join('/', name, skillFile)));
      if (problem !== undefined) throw unusable(name, problem.reason);
      return undefined;
    }
    try {
      const { folder, text, allowedTools, metadata } = readSkill(listed.folder, listed.folder);
      return { ...listed, text, allowedTools, metadata, files: filesOfSkill(folder) };
    } catch (thrown) {
      throw unusable(name, (thrown as Error).message);
    }
  }

  problems(): readonly SkillProblem[] {
    this.list();
    return [...this.#looked.values()].flatMap(({ problem }) => problem ?? []);
  }

  #look({ name, folder }: SkillTier): (readonly [path: string, looked: Looked])[] {
    const found = namesIn(folder);
    if (found === undefined) return [];
    const { root, names } = found;
    const looked = names.slice(0, maxSkillsOfTier).flatMap((inner) => {
      const path = join(root, inner);
      const version = skillVersion(path);
      return version === undefined ? [] : [this.#known(path, version, () => lookAt(path, { name, folder: root }))];
    });
    if (names.length <= maxSkillsOfTier) return looked;
    const reason = `only the first ${maxSkillsOfTier} of ${names.length} entries were read`;
    return [...looked, this.#known(root, String(names.length), () => ({ problem: { path: root, reason } }))];
  }

  #known(path: string, version: string, look: () => Omit<Looked, 'version'>): readonly [string, Looked] {
    const before = this.#looked.get(path);
    return [path, before?.version === version ? before : { version, ...look() }];
  }
}

function lookAt(path: string, tier: SkillTier): Omit<Looked, 'version'> {
  try {
    const { name, description, folder } = readSkill(path, tier.folder);
    return { skill: { name, description, tier: tier.name, folder } };
  } catch (thrown) {
    return { problem: { path: join(path, skillFile), reason: (thrown as Error).message } };
  }
}

/** The sorted names in a folder, and its canonical path; undefined if it cannot be listed. */
function namesIn(folder: string): { readonly root: string; readonly names: readonly string[] } | undefined {
  try {
    const root = canonicalPath(folder);
    return { root, names: readdirSync(root).sort() };
  } catch {
    return undefined;
  }
}

function unusable(name: string, reason: string): ToolError {
  return new ToolError('execution_failed', `The skill ${name} cannot be used: ${reason}. Tell the user.`);
}
