import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ToolCall } from '../core/call.js';
import type { ToolEvent, ToolEventListener } from '../core/event.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import type { TurnOptions } from '../core/registry/turn-options.js';
import { assertArgument, kindOf } from '../core/support/check-values.js';
import { scrubCredentials } from '../secrets/scrubber.js';
import { consentOf, factsOf, portable, type RecordedCall } from './recorded-call.js';

/** Runs a turn with a listener for its events. */
type Turn<Answer> = (onEvent: ToolEventListener) => Promise<Answer>;

/**
 * Records calls in a new file (mode 0600), one JSON line each, for {@link replay}. The returned function takes a
 * toolkit and its root, and makes a toolkit that records every `execute` and `call`. Turns of `resume` and calls that
 * wait for an answer are not recorded. Throws if the file cannot be written.
 */
export function recordTo(file: string): (toolkit: Toolkit, root: string) => Toolkit {
  assertArgument('recordTo takes the path of a file', file, kindOf.text, "recordTo('record.jsonl')");
  rmSync(file, { force: true });
  writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
  let turns = 0;
  return (toolkit, root) => {
    async function record<Answer>(
      calls: readonly ToolCall[],
      options: TurnOptions,
      run: Turn<Answer>,
    ): Promise<Answer> {
      const turn = ++turns;
      const at = new Date().toISOString();
      const eventsOf = new Map<string, ToolEvent[]>();
      const scrub = (text: string) => toolkit.scrub(scrubCredentials(text));
      const consents = await Promise.all(calls.map((call) => consentOf(toolkit, call, options)));
      const answer = await run((event, caller) => {
        if ('callId' in event) eventsOf.set(event.callId, [...(eventsOf.get(event.callId) ?? []), event]);
        options.onEvent?.(event, caller);
      });
      for (const [index, call] of calls.entries()) {
        const events = eventsOf.get(call.id) ?? [];
        const settled = events.find((event) => event.type === 'tool-result');
        if (settled === undefined) continue;
        const { id, name, input } = call;
        const line: RecordedCall = {
          turn,
          call: portable({ id, name, input }, root, scrub) as ToolCall,
          caller: options.caller,
          at,
          durationMs: settled.result.durationMs,
          facts: factsOf(events, settled.result, root, consents[index]),
        };
        appendFileSync(file, `${JSON.stringify(line)}\n`);
      }
      return answer;
    }
    const recorded: Pick<Toolkit, 'execute' | 'call'> = {
      execute: ((calls: readonly ToolCall[], options: TurnOptions = {}) =>
        record(calls, options, (onEvent) => toolkit.execute(calls, { ...options, onEvent }))) as Toolkit['execute'],
      call: (name, input, options = {}) => {
        const id = options.id ?? `call_${turns + 1}`;
        return record([{ id, name, input }], options, (onEvent) =>
          toolkit.call(name, input, { ...options, id, onEvent }),
        );
      },
    };
    return Object.assign(Object.create(toolkit) as Toolkit, recorded);
  };
}
