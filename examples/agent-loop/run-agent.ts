import type { ToolCallResult, Toolkit } from 'toolwright';
import type { Model } from './model.js';
import type { Screen } from './screen.js';

/** The parts of a conversation. */
export interface AgentOptions {
  readonly model: Model;
  readonly toolkit: Toolkit;
  readonly screen: Screen;
  readonly task: string;
  readonly maxTurns: number;
  readonly signal: AbortSignal;
}

/** The end of a conversation. */
export interface AgentOutcome {
  readonly ending: 'done' | 'interrupted' | 'too many turns' | `cut short: ${string}`;
  readonly results: readonly ToolCallResult[];
}

/**
 * The whole agent loop: asks the model, runs its calls, and sends one result for each, until an answer has no calls.
 */
export async function runAgent({
  model,
  toolkit,
  screen,
  task,
  maxTurns,
  signal,
}: AgentOptions): Promise<AgentOutcome> {
  const all: ToolCallResult[] = [];
  let reply = await model.ask(task, signal);

  for (let turn = 1; ; turn++) {
    screen.say(reply.text);
    if (reply.cutShort !== undefined) return { ending: `cut short: ${reply.cutShort}`, results: all };
    if (reply.calls.length === 0) return { ending: 'done', results: all };
    if (turn > maxTurns) return { ending: 'too many turns', results: all };

    const { results, interrupted } = await toolkit.execute(reply.calls, {
      caller: { sessionId: 'example' },
      signal,
      onEvent: screen.event,
    });
    for (const result of results) screen.result(result);
    all.push(...results);
    if (interrupted) return { ending: 'interrupted', results: all };
    reply = await model.answer(results, signal);
  }
}
