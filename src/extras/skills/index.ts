export {
  type FolderSkills,
  type SkillProblem,
  type SkillStoreOptions,
  type SkillTier,
  skillStore,
} from './folder-store.js';
export { type FollowedSkills, followedSkills } from './followed-skills.js';
export type { Skill, SkillStore, SkillSummary } from './skill.js';
export { skillTools } from './tools.js';
