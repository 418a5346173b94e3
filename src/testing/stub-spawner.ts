import { argumentMistake, kindThatCame } from '../core/support/argument-mistake.js';
import { kindOf } from '../core/support/option-kinds.js';
import type { SubagentRequest, SubagentSpawner } from '../ports/agents/subagents.js';

/** What a {@link stubSpawner} answers: texts one after the other, or what a function makes of each request. */
export type StubAnswers = readonly string[] | ((request: SubagentRequest) => string | Promise<string>);

/** A spawner without a model, which keeps what it was asked. */
export interface StubSpawner extends SubagentSpawner {
  readonly requests: readonly SubagentRequest[];
}

/** A spawner whose subagents answer at once, `done` where no other answer is left; a function that throws fails one. */
export function stubSpawner(answers: StubAnswers = []): StubSpawner {
  if (typeof answers !== 'function' && !kindOf.texts.holds(answers))
    throw argumentMistake('stubSpawner takes texts or a function', kindThatCame(answers), "stubSpawner(['done'])");
  const requests: SubagentRequest[] = [];
  return {
    requests,
    spawn: async (request) => {
      const output = typeof answers === 'function' ? await answers(request) : answers[requests.length];
      requests.push(request);
      return { output: output ?? 'done', usage: { turns: 1, toolCalls: 0 } };
    },
  };
}
