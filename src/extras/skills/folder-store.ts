import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '../../core/error.js';
import {
  assertArgument,
  assertOptions,
  ifPossible,
  kindOf,
  type OptionKinds,
} from '../../core/support/check-values.js';
import type { WordIndex } from '../../core/text/word-index.js';
import { canonicalPath } from '../../files/paths/confinement.js';
import { filesOfSkill, readSkill, skillFile, skillVersion } from './read-folder.js';
import type { SkillStore, SkillSummary } from './skill.js';

/** A folder that contains skill folders. */
export interface SkillTier {
  /** A label such as `workspace` or `global`. */
  readonly name: string;
  /** Absolute path; the folder may be missing. */
  readonly folder: string;
}

/** Options of {@link skillStore}. */
export interface SkillStoreOptions {
  /** Tiers in order of precedence: if several tiers have a skill of the same name, the first tier wins. */
  readonly tiers: readonly SkillTier[];
}

/** A skill folder that cannot be used, or a tier with too many entries. */
export interface SkillProblem {
  /** The path of the SKILL.md, or of the tier. */
  readonly path: string;
  readonly reason: string;
}

/** A store of skills in folders. */
export interface FolderSkills extends SkillStore {
  /** The tier folders that currently exist, for the option `additionalRoots` of a toolkit. */
  readonly folders: readonly string[];
  /** The skill folders that cannot be used, and tiers with too many entries. */
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
 * Creates a store of skills. Each folder in a tier that contains a SKILL.md is a skill. A changed SKILL.md is read
 * again on the next use. Symlinks that lead out of the tier are refused. Throws a TypeError for invalid options.
 */
export function skillStore(options: SkillStoreOptions): FolderSkills {
  assertOptions('skillStore', options, optionKinds, 'tiers');
  for (const tier of options.tiers) assertOptions('skillStore: each of tiers', tier, tierKinds, 'name', 'folder');
  assertArgument('skillStore takes tiers', options.tiers, kindOf.filledList, "tiers: [{ name: 'global', folder }]");
  return folderSkills(options.tiers);
}

/** The result of reading a skill folder; valid until the version of its SKILL.md changes. */
interface Found {
  readonly version: string;
  readonly skill?: Omit<SkillSummary, 'hides'>;
  readonly problem?: SkillProblem;
}

function folderSkills(tiers: readonly SkillTier[]): FolderSkills {
  let read: ReadonlyMap<string, Found> = new Map();
  let listed: readonly SkillSummary[] = [];
  let index: WordIndex<SkillSummary> | undefined;

  const known = (path: string, version: string, look: () => Omit<Found, 'version'>): readonly [string, Found] => {
    const before = read.get(path);
    return [path, before?.version === version ? before : { version, ...look() }];
  };

  const readTier = ({ name, folder }: SkillTier): readonly (readonly [path: string, read: Found])[] => {
    const { root, names } = ifPossible(() => sortedNames(canonicalPath(folder))) ?? { root: folder, names: [] };
    const skills = names.slice(0, maxSkillsOfTier).flatMap((inner) => {
      const path = join(root, inner);
      const version = skillVersion(path);
      return version === undefined ? [] : [known(path, version, () => readFolder(path, { name, folder: root }))];
    });
    if (names.length <= maxSkillsOfTier) return skills;
    const reason = `only the first ${maxSkillsOfTier} of ${names.length} entries were read`;
    return [...skills, known(root, String(names.length), () => ({ problem: { path: root, reason } }))];
  };

  const list = (): readonly SkillSummary[] => {
    const before = read;
    read = new Map(tiers.flatMap(readTier));
    const isSame = read.size === before.size && [...read].every(([path, found]) => before.get(path) === found);
    if (isSame) return listed;
    const byName = new Map<string, SkillSummary>();
    for (const { skill } of read.values()) {
      if (skill === undefined) continue;
      const first = byName.get(skill.name) ?? { ...skill, hides: [] };
      const isFirst = first.folder === skill.folder;
      byName.set(skill.name, isFirst ? first : { ...first, hides: [...first.hides, skill.folder] });
    }
    listed = [...byName.values()];
    return listed;
  };

  const problems = (): readonly SkillProblem[] => {
    list();
    return [...read.values()].flatMap(({ problem }) => problem ?? []);
  };

  return {
    get folders() {
      return tiers.map(({ folder }) => folder).filter((folder) => existsSync(folder));
    },
    list,
    problems,
    async search({ query, limit }) {
      const { WordIndex: Index } = await import('../../core/text/word-index.js');
      const skills = list();
      if (index?.holds(skills) !== true) index = new Index(skills, searched);
      return index.search(query).slice(0, limit);
    },
    get({ name }) {
      const found = list().find((skill) => skill.name === name);
      if (found === undefined) {
        const problem = problems().find(({ path }) => path.endsWith(join('/', name, skillFile)));
        if (problem !== undefined) throw unusable(name, problem.reason);
        return undefined;
      }
      try {
        const { folder, text, allowedTools, metadata } = readSkill(found.folder, found.folder);
        return { ...found, text, allowedTools, metadata, files: filesOfSkill(folder) };
      } catch (thrown) {
        throw unusable(name, (thrown as Error).message);
      }
    },
  };
}

const sortedNames = (root: string) => ({ root, names: readdirSync(root).sort() });

function readFolder(path: string, tier: SkillTier): Omit<Found, 'version'> {
  try {
    const { name, description, folder } = readSkill(path, tier.folder);
    return { skill: { name, description, tier: tier.name, folder } };
  } catch (thrown) {
    return { problem: { path: join(path, skillFile), reason: (thrown as Error).message } };
  }
}

function unusable(name: string, reason: string): ToolError {
  return new ToolError('execution_failed', `The skill ${name} cannot be used: ${reason}. Tell the user.`);
}
