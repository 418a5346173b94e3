import { ToolError } from '../../core/error.js';
import {
  assertArgument,
  assertMethods,
  assertOptions,
  kindOf,
  type OptionKinds,
} from '../../core/support/check-values.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';
import { askHost } from '../../ports/ask-host.js';
import { type Speech, soundFormat } from './speech.js';

/** Options of {@link speechChain}. */
export interface SpeechChainOptions {
  /** Time limit of each service in milliseconds. Default 60,000. */
  readonly timeoutMs?: number | undefined;
}

const optionKinds: OptionKinds<SpeechChainOptions> = { timeoutMs: kindOf.milliseconds };

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
  assertArgument('speechChain takes a list of speech services', speeches, kindOf.filledList, write);
  for (const one of speeches) assertMethods('speechChain takes speech services', one, ['speak'], write);
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
