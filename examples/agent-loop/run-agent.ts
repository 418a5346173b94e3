import type { ToolCallResult, Toolkit } from 'toolwright';
import type { Model } from './model.js';
import type { Screen } from './screen.js';

/** What one conversation needs. */
export interface AgentOptions {
  readonly model: Model;
  readonly toolkit: Toolkit;
  readonly screen: Screen;
  readonly task: string;
  readonly maxTurns: number;
  readonly signal: AbortSignal;
}

/** How a conversation ended. */
export interface AgentOutcome {
  readonly ending: 'done' | 'interrupted' | 'too many turns' | `cut short: ${string}`;
  readonly results: readonly ToolCallResult[];
}

/**
 * The whole agent loop: ask the model, run its calls, hand back one result for each, until it asks for nothing more.
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
