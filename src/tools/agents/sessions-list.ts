import type { output } from 'zod/v4/core';
import { inputObject, integer, optional } from '../../core/schema/input-object.js';
import { lazily } from '../../core/support/once.js';
import { Tool, type ToolResult } from '../../core/tool.js';
import type { SessionSummary } from '../../ports/agents/sessions.js';
import { askHost } from '../../ports/ask-host.js';
import { dependenciesOf } from '../support/dependencies.js';
import { ownSession, type SessionDependencies } from './session-dependencies.js';

const maxSessions = 50;

const input = lazily(() =>
  inputObject({
    limit: optional(integer(undefined, { minimum: 1, maximum: maxSessions })),
    active_minutes: optional(integer('Only those active within', { minimum: 1 })),
  }),
);

/** Lists the sessions that the caller may see. */
export function sessionsListTool(dependencies: SessionDependencies): Tool<output<ReturnType<typeof input>>> {
  const { sessions, timeoutMs } = dependenciesOf('sessionsListTool', dependencies, 'sessions', 'timeoutMs');
  return Tool.define('sessions_list', {
    description: 'List your session and those that you started, latest first.',
    input: input(),
    sideEffect: 'readonly',
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    async execute({ limit = maxSessions, active_minutes: minutes }, context): Promise<ToolResult> {
      const activeWithinMs = minutes === undefined ? undefined : minutes * 60_000;
      const isUsable = (all: readonly SessionSummary[]) => Array.isArray(all) && all.every(isSummary);
      const listed = await askHost({ option: 'sessions', timeoutMs, isUsable }, context, async (scope) =>
        (await sessions()).list({ limit, activeWithinMs }, scope),
      );
      const shown = listed.slice(0, limit);
      const own = ownSession(context);
      return { output: shown.map((one) => line(one, own)).join('\n') || 'No sessions', metadata: { sessions: shown } };
    },
  });
}

function isSummary(one: SessionSummary): boolean {
  return typeof one?.id === 'string' && typeof one.activeAt === 'string';
}

function line({ id, title, activeAt, parentId }: SessionSummary, own: string): string {
  const notes = [id === own ? 'yours' : '', parentId === undefined ? '' : `started by ${parentId}`].filter(Boolean);
  const about = title === undefined ? '' : ` ${title.replaceAll(/\s+/g, ' ')}`;
  return `${id}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}${about}, active ${activeAt}`;
}
