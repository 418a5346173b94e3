import type { output } from 'zod/v4/core';
import { inputObject, optional, text } from '../../core/schema/input-object.js';
import { lazily } from '../../core/support/once.js';
import { Tool, type ToolResult } from '../../core/tool.js';
import type { SessionStatus } from '../../ports/agents/sessions.js';
import type { TaskManager } from '../../sessions/task-manager.js';
import { dependenciesOf } from '../support/dependencies.js';
import { askForSession, ownSession, type SessionDependencies } from './session-dependencies.js';

const input = lazily(() => inputObject({ session_key: optional(text('Default: yours')) }));

/** The dependencies of session_status. */
export interface SessionStatusDependencies extends SessionDependencies {
  /** Counts the running tasks if the host does not. */
  readonly tasks: Pick<TaskManager, 'list'>;
}

/** Shows the state of a session. */
export function sessionStatusTool(dependencies: SessionStatusDependencies): Tool<output<ReturnType<typeof input>>> {
  dependenciesOf('sessionStatusTool', dependencies, 'sessions', 'timeoutMs', 'tasks');
  return Tool.define('session_status', {
    description: 'Show how a session stands: its model, turns, tokens, running tasks and open todos.',
    input: input(),
    sideEffect: 'readonly',
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    async execute({ session_key: key }, context): Promise<ToolResult> {
      const id = key ?? ownSession(context);
      const status = await askForSession(
        dependencies,
        id,
        context,
        (directory, scope) => directory.status({ id }, scope),
        (one) => typeof one?.id === 'string' && typeof one.activeAt === 'string',
      );
      const running = dependencies.tasks.list().filter((task) => task.state === 'running' && task.sessionId === id);
      const complete = {
        ...status,
        tasks: status.tasks ?? (id === context.caller.sessionId ? running.length : undefined),
      };
      return { output: lines(complete).join('\n'), metadata: { status: complete } };
    },
  });
}

/** Unknown fields are left out. */
function lines({
  id,
  title,
  activeAt,
  model,
  turns,
  inputTokens,
  outputTokens,
  tasks,
  todos,
}: SessionStatus): string[] {
  const facts = {
    ...{ Session: id, Title: title, Active: activeAt, Model: model, Turns: turns },
    ...{ 'Tokens in': inputTokens, 'Tokens out': outputTokens, 'Running tasks': tasks, 'Open todos': todos },
  };
  return Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
}
