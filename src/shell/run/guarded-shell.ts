import { ToolError } from '../../core/error.js';
import type { Shell } from '../../ports/shell.js';

/** The verdict of a {@link CommandGuard}. */
export interface GuardVerdict {
  readonly verdict: 'allow' | 'ask' | 'deny';
  readonly reasons: readonly { readonly category: string; readonly text: string }[];
  /** Environment variables in addition to those of the request. Default: none. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Judges a command without running it. */
export type CommandGuard = (command: string) => GuardVerdict;

/**
 * A shell that rejects commands denied by `guard` with `command_denied`. The guard is the second line of defence, after
 * the verdict of the tool before the permission prompt. Direct callers have only the guard. If the guard throws, the
 * command is denied.
 */
export function guardShell(shell: Shell, guard: CommandGuard): Shell {
  return {
    run: async (request, scope) => {
      const verdict = judge(request.command, guard);
      const denial = denialOf(verdict);
      if (denial !== undefined) throw new ToolError('command_denied', `blocked by safety policy: ${denial}`);
      return await shell.run({ ...request, env: { ...request.env, ...verdict.env } }, scope);
    },
  };
}

/** The reason of a denial on one line; undefined if the verdict is not a denial. */
export function denialOf({ verdict, reasons }: GuardVerdict): string | undefined {
  if (verdict !== 'deny') return undefined;
  const why = reasons.map(({ category, text }) => `${category}: ${text}`).join('; ') || 'dangerous command';
  return `${why}. ${nextSteps[reasons[0]?.category ?? ''] ?? 'Do it another way, or ask the user.'}`;
}

/** Advice by category of a denial. */
const nextSteps: Readonly<Record<string, string>> = {
  'destructive-files': 'Name the files to delete, or ask the user.',
  'remote-code': 'Download it to a file, and ask the user before it runs.',
  'eval-injection': 'Write the command out.',
};

function judge(command: string, guard: CommandGuard): GuardVerdict {
  try {
    return guard(command);
  } catch {
    return { verdict: 'deny', reasons: [{ category: 'unchecked', text: 'the command could not be judged' }] };
  }
}
