import type { output } from 'zod/v4/core';
import type { Limits } from '../core/limits.js';
import { shellNumbers } from '../core/numbers.js';
import { Tool, type ToolResult } from '../core/tool.js';
import type { TaskView } from '../state/tasks/task.js';
import type { TaskManager } from '../state/tasks/tasks.js';
import { cutMiddle } from '../text/cut-middle.js';
import { dependenciesOf } from './support/dependencies.js';
import { flag, inputObject, integer, optional, text } from './support/input-object.js';

/** What TaskOutput can reach. */
export interface TaskOutputDependencies {
  readonly tasks: TaskManager;
  readonly limits: Pick<Limits, 'tasks' | 'output'>;
}

/** Shows how a background task stands and what it has put out since the session last looked. */
export function taskOutputTool(dependencies: TaskOutputDependencies): Tool<output<ReturnType<typeof inputOf>>> {
  const { tasks, limits } = dependenciesOf('taskOutputTool', dependencies, 'tasks', 'limits');
  const { waitMs, maxWaitMs } = limits.tasks;
  return Tool.define('TaskOutput', {
    description:
      'Read what a background task has put out since you last looked. Waits for its end unless block is false.',
    input: inputOf(waitMs, maxWaitMs),
    sideEffect: 'readonly',
    // It waits as long as it is asked to.
    timeoutMs: 0,
    maxOutputChars: limits.output.maxChars + shellNumbers.statusChars,
    idempotent: false,
    // A task of another session is not found.
    risk: () => 'none',
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    title: ({ task_id }) => `TaskOutput ${task_id}`,
    async execute({ task_id, block = true, timeout = waitMs }, context): Promise<ToolResult> {
      const { sessionId, agentId = '' } = context.caller;
      const view = await tasks.read(task_id, `${sessionId}\n${agentId}`, block ? timeout : 0, context);
      const { taskId, state, exitCode, signal, outputFile } = view;
      return {
        output: `Status: ${state}\n${bounded(view, limits.output.maxChars)}${ending(view)}`,
        metadata: {
          taskId,
          state,
          ...(exitCode === undefined ? {} : { exitCode }),
          ...(signal === undefined ? {} : { signal }),
          ...(outputFile === undefined ? {} : { outputFile }),
        },
      };
    },
  });
}

function inputOf(waitMs: number, maxWaitMs: number) {
  return inputObject({
    task_id: text('Id from "Task started"', { minLength: 1 }),
    block: optional(flag('Default true')),
    timeout: optional(integer(`Milliseconds to wait at most; default ${waitMs}`, { minimum: 0, maximum: maxWaitMs })),
  });
}

function bounded({ output, state }: TaskView, maxChars: number): string {
  if (output === '') return state === 'running' ? '(no new output yet)' : '(no new output)';
  const cut =
    output.length > maxChars
      ? cutMiddle(output, Math.floor(maxChars - Math.min(shellNumbers.statusChars, maxChars / 2)))
      : undefined;
  return cut === undefined ? output : `${cut.head}\n[${cut.omitted} characters omitted]\n${cut.tail}`;
}

function ending({ output, exitCode, signal }: TaskView): string {
  const border = output.endsWith('\n') ? '' : '\n';
  if (signal !== undefined) return `${border}Killed by signal ${signal}`;
  return exitCode === undefined || exitCode === 0 ? '' : `${border}Exit code: ${exitCode}`;
}
