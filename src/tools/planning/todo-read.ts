import type { output } from 'zod/v4/core';
import { inputObject } from '../../core/schema/input-object.js';
import { lazily } from '../../core/support/once.js';
import { Tool, type ToolResult } from '../../core/tool.js';
import { dependenciesOf } from '../support/dependencies.js';
import { readTodos, type TodoDependencies, todoLines } from './todos.js';

const input = lazily(() => inputObject({}));

/** Shows the todos of the calling agent. */
export function todoReadTool(dependencies: TodoDependencies): Tool<output<ReturnType<typeof input>>> {
  dependenciesOf('todoReadTool', dependencies, 'todos', 'timeoutMs');
  return Tool.define('TodoRead', {
    description: 'Show your list of steps as TodoWrite left it.',
    input: input(),
    sideEffect: 'none',
    footprint: () => ({ reads: ['todos'], writes: 'nothing' }),
    async execute(_input, context): Promise<ToolResult> {
      const todos = await readTodos(dependencies, context);
      return { output: todoLines(todos).join('\n') || 'No todos', metadata: { todos } };
    },
  });
}
