import * as z from 'zod/v4';
import type { Limits } from '../core/limits.js';
import { Tool, type ToolResult } from '../core/tool.js';
import type { TaskView } from '../state/task.js';
import type { TaskManager } from '../state/tasks.js';
import { cutMiddle } from '../text/cut-middle.js';

/** What TaskOutput can reach. */
export interface TaskOutputDependencies {
  readonly tasks: TaskManager;
  readonly limits: Pick<Limits, 'tasks' | 'output'>;
}

const statusChars = 200;

/** Shows how a background task stands and what it has put out since the session last looked. */
export function taskOutputTool({ tasks, limits }: TaskOutputDependencies): Tool<z.output<ReturnType<typeof inputOf>>> {
  const { waitMs, maxWaitMs } = limits.tasks;
  return Tool.define('TaskOutput', {
    description: 'Read what a background task has put out since you last looked. Waits for its end unless block is false.',
    input: inputOf(waitMs, maxWaitMs),
    sideEffect: 'readonly',
    groups: ['runtime'],
    // It waits as long as it is asked to.
    timeoutMs: 0,
    idempotent: false,
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    title: ({ task_id }) => `TaskOutput ${task_id}`,
    async execute({ task_id, block = true, timeout = waitMs }, context): Promise<ToolResult> {
      const { sessionId, agentId = '' } = context.caller;
      const view = await tasks.read(task_id, `${sessionId}\n${agentId}`, block ? timeout : 0, context);
      const { taskId, state, exitCode, outputFile } = view;
      return {
        output: `Status: ${state}\n${bounded(view, limits.output.maxChars - Math.min(statusChars, limits.output.maxChars / 2))}${ending(view)}`,
        metadata: { taskId, state, ...(exitCode === undefined ? {} : { exitCode }), ...(outputFile === undefined ? {} : { outputFile }) },
      };
    },
  });
}

function inputOf(waitMs: number, maxWaitMs: number) {
  return z.object({
    task_id: z.string().min(1).describe('Id from "Task started"'),
    block: z.boolean().optional().describe('Wait for the end of the task; default true'),
    timeout: z.number().min(0).max(maxWaitMs).optional().describe(`Milliseconds to wait at most; default ${waitMs}`),
  });
}

function bounded({ output, state }: TaskView, maxChars: number): string {
  if (output === '') return state === 'running' ? '(no new output yet)' : '(no new output)';
  const cut = cutMiddle(output, Math.floor(maxChars));
  return cut === undefined ? output : `${cut.head}\n[${cut.omitted} characters omitted]\n${cut.tail}`;
}

function ending({ output, exitCode }: TaskView): string {
  if (exitCode === undefined || exitCode === 0) return '';
  return `${output.endsWith('\n') ? '' : '\n'}Exit code: ${exitCode}`;
}
