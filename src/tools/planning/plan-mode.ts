import type { output } from 'zod/v4/core';
import type { Caller } from '../../core/context.js';
import { inputObject, list, optional, text } from '../../core/schema/fields.js';
import { lazily } from '../../core/support/once.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import type { PlanMode } from '../../ports/planning/plan-mode.js';
import { dependenciesOf } from '../support/factory-arguments.js';

const enterInput = lazily(() => inputObject({}));

/** The dependencies of EnterPlanMode. */
export interface EnterPlanModeDependencies {
  readonly planMode: Pick<PlanMode, 'isActive' | 'enter' | 'of'>;
}

/** Switches on plan mode for the calling session. */
export function enterPlanModeTool(
  dependencies: EnterPlanModeDependencies,
): Tool<output<ReturnType<typeof enterInput>>> {
  const { planMode } = dependenciesOf('enterPlanModeTool', dependencies, 'planMode');
  return Tool.define('EnterPlanMode', {
    description: 'Start to plan: until a plan is approved, calls with side effects are queued.',
    input: enterInput(),
    sideEffect: 'readonly',
    // Later calls of the same turn are already in plan mode and are queued.
    footprint: () => ({ reads: 'nothing', writes: 'everything' }),
    async execute(_input, { caller }): Promise<ToolResult> {
      const own = planMode.of?.(caller) ?? planMode;
      const wasActive = own.isActive;
      own.enter();
      const next = 'Look around with tools that only read, then present the plan with ExitPlanMode.';
      return { output: `Plan mode is on${wasActive ? ' already' : ''}. ${next}`, metadata: { wasActive } };
    },
  });
}

const exitInput = lazily(() =>
  inputObject({
    plan: optional(text('What you will do, step by step')),
    allowedPrompts: optional(
      list(inputObject({ tool: text(), prompt: text() }), 'Kinds of commands the plan needs, in words'),
    ),
  }),
);

/** The dependencies of ExitPlanMode. */
export interface ExitPlanModeDependencies {
  readonly planMode: Pick<PlanMode, 'isActive' | 'queue' | 'exit' | 'of'>;
}

/**
 * Presents a plan, with the calls that were queued meanwhile, as a permission question, and leaves plan mode when the
 * plan is approved. `updatedInput: { plan }` in the answer edits the plan; a denial keeps plan mode on. The host runs
 * or clears the queue.
 */
export function exitPlanModeTool(dependencies: ExitPlanModeDependencies): Tool<output<ReturnType<typeof exitInput>>> {
  const { planMode } = dependenciesOf('exitPlanModeTool', dependencies, 'planMode');
  const planOf = (caller: Caller) => planMode.of?.(caller) ?? planMode;
  return Tool.define('ExitPlanMode', {
    description:
      'Present the finished plan for approval and leave plan mode. Only for plans that lead to changes; nothing ' +
      'runs before approval.',
    input: exitInput(),
    sideEffect: 'readonly',
    // The time limit of the permission question applies instead.
    timeoutMs: 0,
    // Later calls of the same turn depend on whether plan mode has ended.
    footprint: () => ({ reads: 'nothing', writes: 'everything' }),
    preview: ({ plan, allowedPrompts = [] }, { caller }) =>
      [
        plan?.trim() || 'The call contains no plan.',
        ...section(
          'Queued calls:',
          planOf(caller).queue.map(({ title }) => title),
        ),
        ...section(
          'Commands that the plan needs:',
          allowedPrompts.map(({ prompt }) => prompt),
        ),
      ].join('\n'),
    verdict: (_input, { caller }) =>
      planOf(caller).isActive
        ? { behavior: 'ask', reason: 'A person has to approve a plan before it is carried out.' }
        : undefined,
    async execute({ plan }, { caller }): Promise<ToolResult> {
      const current = planOf(caller);
      const { isActive, queue } = current;
      current.exit();
      const approved = plan?.trim();
      const output = [
        isActive ? approval(current.isActive) : 'Plan mode was not on. Go on.',
        ...(queue.length === 0 ? [] : [waiting(queue.length)]),
        ...(approved ? ['', 'The approved plan:', approved] : []),
      ].join('\n');
      const queued = queue.map(({ callId, tool, title }) => ({ callId, tool, title }));
      return {
        output,
        metadata: { planExit: true, wasActive: isActive, ...(plan === undefined ? {} : { plan }), queued },
      };
    },
  });
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', heading, ...lines.map((line, index) => `${index + 1}. ${line}`)];
}

function approval(isStillActive: boolean): string {
  return isStillActive
    ? 'The plan is approved, but the program that runs this agent keeps plan mode on: calls with side ' +
        'effects are still queued. Tell the user.'
    : 'The plan is approved and plan mode is over. Carry it out.';
}

function waiting(count: number): string {
  const calls = count === 1 ? '1 call is' : `${count} calls are`;
  return `${calls} still queued and did not run. Repeat them as the plan says, unless you learn that they have run.`;
}
