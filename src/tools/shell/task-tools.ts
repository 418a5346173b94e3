import type { output } from 'zod/v4/core';
import { ToolError } from '../../core/error.js';
import { shellNumbers } from '../../core/fixed-limits.js';
import type { Limits } from '../../core/limits.js';
import type { ReadProcess } from '../../core/registry/toolkit-processes.js';
import { flag, inputObject, integer, optional, text } from '../../core/schema/fields.js';
import { lazily } from '../../core/support/once.js';
import { cutTo } from '../../core/text/cut.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import { readerOf } from '../../sessions/background-task.js';
import type { TaskManager } from '../../sessions/task-manager.js';
import { dependenciesOf } from '../support/factory-arguments.js';
import { stubbornLines } from './bash-result.js';

/** The result for the model about a background task: its state, its new output, and how it ended. */
export function taskResult(view: ReadProcess, maxChars: number): ToolResult {
  const { taskId, state, exitCode, signal, outputFile } = view;
  return {
    output: `Status: ${state}\n${bounded(view, maxChars)}${ending(view)}`,
    metadata: {
      taskId,
      state,
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(signal === undefined ? {} : { signal }),
      ...(outputFile === undefined ? {} : { outputFile }),
    },
  };
}

function bounded({ output, state }: ReadProcess, maxChars: number): string {
  if (output === '') return state === 'running' ? '(no new output yet)' : '(no new output)';
  if (output.length <= maxChars) return output;
  return cutTo(Math.floor(maxChars - Math.min(shellNumbers.statusChars, maxChars / 2)), output);
}

function ending({ output, exitCode, signal }: ReadProcess): string {
  const border = output.endsWith('\n') ? '' : '\n';
  if (signal !== undefined) return `${border}Killed by signal ${signal}`;
  return exitCode === undefined || exitCode === 0 ? '' : `${border}Exit code: ${exitCode}`;
}

/** The dependencies of TaskOutput. */
export interface TaskOutputDependencies {
  readonly tasks: TaskManager;
  readonly limits: Pick<Limits, 'tasks' | 'output'>;
}

/** Shows the state of a background task and its output since the calling agent last read the task. */
export function taskOutputTool(dependencies: TaskOutputDependencies): Tool<output<ReturnType<typeof inputOf>>> {
  const { tasks, limits } = dependenciesOf('taskOutputTool', dependencies, 'tasks', 'limits');
  const { waitMs, maxWaitMs } = limits.tasks;
  return Tool.define('TaskOutput', {
    description: 'Read the new output of a background task. Waits for the task to end unless block is false.',
    input: inputOf(waitMs, maxWaitMs),
    sideEffect: 'readonly',
    // The input sets the time to wait.
    timeoutMs: 0,
    maxOutputChars: limits.output.maxChars + shellNumbers.statusChars,
    idempotent: false,
    // A session can only read its own tasks.
    risk: () => 'none',
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    title: ({ task_id }) => `TaskOutput ${task_id}`,
    async execute({ task_id, block = true, timeout = waitMs }, context): Promise<ToolResult> {
      const view = await tasks.read(task_id, readerOf(context.caller), block ? timeout : 0, context);
      return taskResult(view, limits.output.maxChars);
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

const stopInput = lazily(() =>
  inputObject({
    task_id: optional(text('Id from "Task started"')),
    shell_id: optional(text('Older name of task_id')),
  }),
);

/** The dependencies of TaskStop. */
export interface TaskStopDependencies {
  readonly tasks: TaskManager;
}

/** Stops a background task and every process that it started. */
export function taskStopTool(dependencies: TaskStopDependencies): Tool<output<ReturnType<typeof stopInput>>> {
  const { tasks } = dependenciesOf('taskStopTool', dependencies, 'tasks');
  return Tool.define('TaskStop', {
    description: 'Stop a background task and everything it started.',
    input: stopInput(),
    sideEffect: 'blocking',
    // A session can only stop its own tasks.
    risk: () => 'none',
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
    title: ({ task_id, shell_id }) => `TaskStop ${task_id ?? shell_id ?? ''}`.trim(),
    // Refuses an invalid input before a person is asked.
    verdict: (input) => void idOf(input),
    async execute(input, { caller }): Promise<ToolResult> {
      const id = idOf(input);
      const { taskId, label, state, outputFile, wasRunning, survivors } = await tasks.stop(id, caller);
      const said = wasRunning ? `Task stopped: ${taskId}` : `Task ${taskId} was not running any more: ${state}`;
      const output = [said, ...stubbornLines(survivors)].join('\n');
      return {
        output,
        metadata: { taskId, state, label, survivors, ...(outputFile === undefined ? {} : { outputFile }) },
      };
    },
  });
}

function idOf({ task_id, shell_id }: output<ReturnType<typeof stopInput>>): string {
  if (task_id || shell_id) return task_id || shell_id || '';
  throw new ToolError('invalid_input', 'task_id: is required but missing. Pass the id from "Task started".');
}
