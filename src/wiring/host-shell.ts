import { assessCommand } from '../command/assess-command.js';
import type { LimitOverrides } from '../core/limits.js';
import { resolveLimits } from '../core/resolve-limits.js';
import type { ProcessShell } from '../shell/lazy-shell.js';
import { SpillFolder } from '../state/spill-folder.js';
import { createScrubber, type Scrubber } from '../text/secrets/scrubber.js';
import { wireShell } from './wire-shell.js';

/** What {@link hostShell} works with. */
export interface HostShellSettings {
  /** Absolute folder in which commands run. */
  readonly root: string;
  /** More folders that a request may name. */
  readonly additionalRoots?: readonly string[] | undefined;
  /** Variables for every command, over the allowlisted ones of this process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** `false` keeps what commands put out as it is. */
  readonly scrubber?: Scrubber | false | undefined;
  readonly limits?: LimitOverrides | undefined;
}

/**
 * A shell of this machine for a registry of one's own: it refuses what the safety policy denies. Dispose it, which ends
 * all that its commands left running.
 */
export function hostShell(settings: HostShellSettings): ProcessShell {
  const { root, additionalRoots = [], env, scrubber = createScrubber(), limits } = settings;
  const spill = new SpillFolder();
  const { guarded, leftovers, endSession, dispose } = wireShell({
    ...{ roots: [root, ...additionalRoots], spill, scrubber, guard: assessCommand, settings: { env } },
    ...{ limits: resolveLimits(limits), shell: undefined, sandbox: undefined, timers: undefined },
  });
  return {
    run: (request, scope) => guarded.run(request, scope),
    leftovers,
    endSession: async (sessionId) => void (await endSession(sessionId)),
    dispose: async () => {
      await dispose();
      spill.dispose();
    },
  };
}
