import { assertArgument, assertMethods, kindOf } from '../../core/support/check-values.js';
import { once } from '../../core/support/once.js';
import { parseRule } from '../../permissions/rule.js';
import { wrapPermissions } from '../../permissions/wrap-permissions.js';
import type { Permissions } from '../../ports/permissions.js';
import type { Skill } from './skill.js';

/** Records the skills that each session follows, and denies tools that a followed skill does not allow. */
export interface FollowedSkills {
  /** For `createToolkit`. Denies calls that a followed skill forbids; the wrapped permissions decide the others. */
  readonly permissions: Permissions;
  /**
   * Called by the tool Skill. The session follows the skill in addition to earlier skills. Throws a TypeError if an
   * entry of `allowedTools` is not a permission rule.
   */
  follow(sessionId: string, skill: Pick<Skill, 'name' | 'allowedTools'>): void;
  /** The session follows no skill any more. Call this method when the user writes again. */
  end(sessionId: string): void;
}

/**
 * Limits agents to the `allowed-tools` of the skills that they open, until the session ends. Pass the result to
 * `skillTools` too. Throws a TypeError for invalid permissions or a root that is not absolute.
 */
export function followedSkills(permissions: Permissions, root: string): FollowedSkills {
  const write = 'followedSkills(createPermissions(), root)';
  assertMethods('followedSkills takes permissions first', permissions, ['check'], write);
  assertArgument('followedSkills takes an absolute root', root, kindOf.absolutePath, write);
  const sessions = new Map<string, FollowedSkill[]>();
  const end = (sessionId: string) => void sessions.delete(sessionId);
  return {
    permissions: wrapPermissions(permissions, {
      check: async (request, scope) => {
        for (const { name, tools, rules } of sessions.get(scope.caller.sessionId) ?? []) {
          if ((await rules()).explain(request, scope.caller).behavior !== 'deny') continue;
          const message = `The skill ${name} is followed with these tools only: ${tools.join(', ')}. Use one of them.`;
          return { behavior: 'deny', message };
        }
        return await permissions.check(request, scope);
      },
      endSession: (sessionId) => {
        end(sessionId);
        permissions.endSession?.(sessionId);
      },
    }),
    follow(sessionId, skill) {
      if (skill.allowedTools === undefined) return;
      skill.allowedTools.forEach(parseRule);
      const followed = (sessions.get(sessionId) ?? []).filter(({ name }) => name !== skill.name);
      sessions.set(sessionId, [...followed, narrowed(skill.name, skill.allowedTools, root)]);
    },
    end,
  };
}

type FollowedSkill = ReturnType<typeof narrowed>;

/** A skill, and permissions that allow only its tools. The permissions are created on first use. */
function narrowed(name: string, tools: readonly string[], root: string) {
  const rules = once(async () => {
    const { createPermissions } = await import('../../permissions/create-permissions.js');
    const allow = [...tools, 'Skill', 'skill_search'];
    return createPermissions({ root, mode: 'dontAsk', autoAllow: false, allow });
  });
  return { name, tools, rules };
}
