export {
  type FolderSkills,
  type SkillProblem,
  type SkillStoreOptions,
  type SkillTier,
  skillStore,
} from './folder-skills.js';
export { type FollowedSkills, followedSkills } from './skill-permissions.js';
export type { Skill, SkillStore, SkillSummary } from './skill-store.js';
export { skillTools } from './skill-tools.js';
