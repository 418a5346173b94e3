import type { output } from 'zod/v4/core';
import type { Caller, CallScope } from '../../core/context.js';
import { planningNumbers } from '../../core/fixed-limits.js';
import { choice, inputObject, list, words } from '../../core/schema/fields.js';
import { lazily } from '../../core/support/once.js';
import type { Todo } from '../../core/todo.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import { askHost } from '../../ports/ask-host.js';
import type { TodoStore } from '../../ports/planning/todo-store.js';
import { dependenciesOf } from '../support/factory-arguments.js';

/** The dependencies of the tools for todos. */
export interface TodoDependencies {
  readonly todos: TodoStore;
  /** Time limit for an answer of the store, in milliseconds; 0 = no limit. */
  readonly timeoutMs: number;
}

/** Reads the todos of the calling agent from the store. */
export function readTodos({ todos, timeoutMs }: TodoDependencies, scope: CallScope): Promise<readonly Todo[]> {
  const isUsable = (all: readonly Todo[]) => Array.isArray(all) && all.every(isTodo);
  return askHost({ option: 'todos', timeoutMs, isUsable }, scope, (inner) => todos.get(inner));
}

function todoLines(todos: readonly Todo[]): readonly string[] {
  const marks = { pending: '[ ]', in_progress: '[>]', completed: '[x]' };
  return todos.map(({ content, status }) => `${marks[status]} ${content.replaceAll(/\s+/g, ' ')}`);
}

function isTodo(value: unknown): boolean {
  const { content, status, activeForm } = (value ?? {}) as Partial<Todo>;
  return (
    typeof content === 'string' &&
    typeof activeForm === 'string' &&
    /^(pending|in_progress|completed)$/.test(`${status}`)
  );
}

const readInput = lazily(() => inputObject({}));

/** Shows the todos of the calling agent. */
export function todoReadTool(dependencies: TodoDependencies): Tool<output<ReturnType<typeof readInput>>> {
  dependenciesOf('todoReadTool', dependencies, 'todos', 'timeoutMs');
  return Tool.define('TodoRead', {
    description: 'Show your list of steps as TodoWrite left it.',
    input: readInput(),
    sideEffect: 'none',
    footprint: () => ({ reads: ['todos'], writes: 'nothing' }),
    async execute(_input, context): Promise<ToolResult> {
      const todos = await readTodos(dependencies, context);
      return { output: todoLines(todos).join('\n') || 'No todos', metadata: { todos } };
    },
  });
}

const { maxTodos, maxTextChars } = planningNumbers;

const writeInput = lazily(() => {
  const todo = inputObject({
    content: words(maxTextChars),
    status: choice(['pending', 'in_progress', 'completed']),
    activeForm: words(maxTextChars, 'Such as "Running the tests"'),
  });
  return inputObject({ todos: list(todo, undefined, { maxItems: maxTodos }) });
});

/** The dependencies of TodoWrite. */
export interface TodoWriteDependencies extends TodoDependencies {
  /** Called with each list that was written. */
  readonly onWritten?: ((todos: readonly Todo[], caller: Caller) => void) | undefined;
}

/** Replaces the list of todos. */
export function todoWriteTool(dependencies: TodoWriteDependencies): Tool<output<ReturnType<typeof writeInput>>> {
  const { todos: store, timeoutMs, onWritten } = dependenciesOf('todoWriteTool', dependencies, 'todos', 'timeoutMs');
  return Tool.define('TodoWrite', {
    description:
      'Keep a list of your steps if a task needs several. The list replaces the old one; keep one step in_progress.',
    input: writeInput(),
    examples: [{ todos: [{ content: 'Run the tests', status: 'in_progress', activeForm: 'Running the tests' }] }],
    sideEffect: 'none',
    footprint: () => ({ reads: 'nothing', writes: ['todos'] }),
    title: ({ todos }) => `TodoWrite ${counted(todos, 'completed')} of ${todos.length} done`,
    preview: ({ todos }) => todoLines(todos).join('\n'),
    async execute({ todos }, context): Promise<ToolResult> {
      const oldTodos = await readTodos(dependencies, context);
      await askHost({ option: 'todos', timeoutMs }, context, (scope) => store.set(todos, scope));
      onWritten?.(todos, context.caller);
      const active = counted(todos, 'in_progress');
      const notes = active > 1 ? [`[${active} steps are in_progress; work on one at a time]`] : [];
      const said = `${todos.length} todos: ${counted(todos, 'completed')} completed, ${active} in progress.`;
      return { output: [said, ...notes].join('\n'), metadata: { oldTodos, newTodos: todos } };
    },
  });
}

function counted(todos: readonly Todo[], wanted: Todo['status']): number {
  return todos.filter(({ status }) => status === wanted).length;
}
