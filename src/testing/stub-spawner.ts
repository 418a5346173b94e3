import { assertArgument, kindOf } from '../core/support/check-values.js';
import type { SubagentRequest, SubagentSpawner } from '../ports/agents/subagents.js';

/** The answers of a {@link stubSpawner}: texts in order, or a function of the request. */
export type StubAnswers = readonly string[] | ((request: SubagentRequest) => string | Promise<string>);

/** A spawner without a model, which records its requests. */
export interface StubSpawner extends SubagentSpawner {
  readonly requests: readonly SubagentRequest[];
}

/**
 * Makes a spawner whose subagents return the given answers. When the texts are used up, each further subagent returns
 * `done`. If the function throws, the subagent fails.
 */
export function stubSpawner(answers: StubAnswers = []): StubSpawner {
  if (typeof answers !== 'function')
    assertArgument('stubSpawner takes texts or a function', answers, kindOf.texts, "stubSpawner(['done'])");
  const requests: SubagentRequest[] = [];
  return {
    requests,
    spawn: async (request) => {
      const index = requests.push(request) - 1;
      const output = typeof answers === 'function' ? await answers(request) : answers[index];
      return { output: output ?? 'done', usage: { turns: 1, toolCalls: 0 } };
    },
  };
}
