import type { output } from 'zod/v4/core';
import { inputObject } from '../../core/schema/input-object.js';
import { lazily } from '../../core/support/once.js';
import { Tool, type ToolResult } from '../../core/tool.js';
import type { PlanMode } from '../../ports/planning/plan-mode.js';
import { dependenciesOf } from '../support/dependencies.js';

const input = lazily(() => inputObject({}));

/** The dependencies of EnterPlanMode. */
export interface EnterPlanModeDependencies {
  readonly planMode: Pick<PlanMode, 'isActive' | 'enter' | 'of'>;
}

/** Switches on plan mode for the calling session. */
export function enterPlanModeTool(dependencies: EnterPlanModeDependencies): Tool<output<ReturnType<typeof input>>> {
  const { planMode } = dependenciesOf('enterPlanModeTool', dependencies, 'planMode');
  return Tool.define('EnterPlanMode', {
    description: 'Start to plan: until a plan is approved, calls that act are queued and not run.',
    input: input(),
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
