import { ToolError } from '../../core/error.js';
import type { Shell, ShellRequest } from '../../ports/shell.js';

/** The verdict of a {@link CommandGuard}. */
export interface GuardVerdict {
  readonly verdict: 'allow' | 'ask' | 'deny';
  readonly reasons: readonly { readonly category: string; readonly text: string }[];
  /** Environment variables in addition to those of the request. Default: none. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Judges a command without running it. */
export type CommandGuard = (command: string) => GuardVerdict;

/** A request whose command may have been judged before. */
export interface JudgedRequest extends ShellRequest {
  /** The earlier verdict, which decided that the call may run. */
  readonly judged?: GuardVerdict | undefined;
}

/**
 * A shell that judges each command right before its start, also for direct callers. Rejects with `command_denied` for a
 * command that `guard` denies, or that `guard` fails to judge. Rejects with `file_changed` for a command that was
 * judged `allow` before and no longer is (TOCTOU). The environment comes from the earlier verdict, if there is one.
 */
export function guardShell(shell: Shell, guard: CommandGuard): Shell {
  return {
    run: async ({ judged, ...request }: JudgedRequest, scope) => {
      const verdict = judge(request.command, guard);
      const denial = denialOf(verdict);
      if (denial !== undefined) throw new ToolError('command_denied', `blocked by safety policy: ${denial}`);
      if (judged?.verdict === 'allow' && verdict.verdict !== 'allow') throw new ToolError('file_changed', changed);
      return await shell.run({ ...request, env: { ...request.env, ...(judged ?? verdict).env } }, scope);
    },
  };
}

const changed =
  'The workspace changed since the command was judged: the command is no longer known to be read-only. It did not run. ' +
  'Send the command again.';

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
