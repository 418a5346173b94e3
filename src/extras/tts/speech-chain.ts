import { ToolError } from '../../core/error.js';
import {
  argumentMistake,
  assertArgument,
  assertOptions,
  having,
  kindOf,
  kindThatCame,
  type OptionKinds,
} from '../../core/support/check-values.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';
import { askHost } from '../../ports/call-host.js';
import { soundFormat } from './sound-format.js';
import type { Speech } from './speech.js';

/** Options of {@link speechChain}. */
export interface SpeechChainOptions {
  /** Time limit of each service in milliseconds. Default 60,000. */
  readonly timeoutMs?: number | undefined;
}

const optionKinds: OptionKinds<SpeechChainOptions> = { timeoutMs: kindOf.milliseconds };

/** The check of an argument that must be a speech service. */
export const speechKind = having('a speech service', 'speak');

/**
 * Tries speech services in order. If all fail, the error has all their messages. Throws a TypeError for invalid
 * arguments, also for an empty list.
 */
export function speechChain(
  speeches: readonly Speech[],
  options: SpeechChainOptions = {},
  timers: Timers = systemTimers,
): Speech {
  const write = 'speechChain([openAiSpeech({ apiKey }), localSpeech()])';
  if (!Array.isArray(speeches) || speeches.length === 0)
    throw argumentMistake('speechChain takes a list of speech services', kindThatCame(speeches), write);
  for (const one of speeches) assertArgument('speechChain takes speech services', one, speechKind, write);
  assertOptions('speechChain', options, optionKinds);
  const { timeoutMs = 60_000 } = options;
  return {
    name: speeches.map(({ name }) => name).join(', '),
    async speak(request, scope) {
      const failures: ToolError[] = [];
      for (const speech of speeches) {
        const asked = { port: speech.name, timeoutMs, timers };
        try {
          const sound = await askHost(asked, scope, (inner) => speech.speak(request, inner));
          soundFormat(sound, request.format, speech.name);
          return sound;
        } catch (thrown) {
          if (scope.signal.aborted) throw thrown;
          failures.push(ToolError.from(thrown));
        }
      }
      const [first] = failures as [ToolError];
      const code = failures.every((one) => one.code === first.code) ? first.code : 'execution_failed';
      throw new ToolError(code, ['No speech service worked:', ...failures.map(({ message }) => message)].join('\n'));
    },
  };
}
