import { ToolError } from '../../core/error.js';
import type { Sandbox } from '../../ports/sandbox.js';
import type { Shell, ShellOutcome } from '../../ports/shell.js';

/** Options of {@link sandboxShell}. */
export interface SandboxedShellOptions {
  readonly sandbox: Sandbox;
  /** Runs commands in the sandbox. */
  readonly inside: Shell;
  /** Runs commands on this machine. */
  readonly outside: Shell;
  /** What happens when the sandbox is unavailable. Default `refuse`: the command fails with `sandbox_unavailable`. */
  readonly onUnavailable?: 'refuse' | 'host' | undefined;
  /** Whether a command may request to run outside the sandbox. Default false: the request is ignored. */
  readonly allowDisable?: boolean | undefined;
}

/** A shell whose commands run in a sandbox, and outside only where permitted; the result says where. */
export function sandboxShell({
  sandbox,
  inside,
  outside,
  onUnavailable = 'refuse',
  allowDisable = false,
}: SandboxedShellOptions): Shell {
  // A driver written in JavaScript may have no name.
  const name = typeof sandbox.name === 'string' ? sandbox.name.trim() : '';
  const description = name === '' ? 'the sandbox' : `the sandbox ${name}`;
  return {
    run: async (request, scope) => {
      if (request.withoutSandbox === true && allowDisable)
        return onHost(await outside.run(request, scope), 'as requested');
      const obstacle = await sandbox.obstacle(scope);
      if (obstacle === undefined) {
        const outcome = await inside.run({ ...request, timeoutMs: request.timeoutMs ?? sandbox.timeoutMs }, scope);
        return noted(
          { ...outcome, sandbox: name || 'sandbox' },
          endsWith(sandbox, name || 'the sandbox', request.command),
        );
      }
      if (onUnavailable === 'host')
        return onHost(await outside.run(request, scope), `because ${description} cannot be used: ${obstacle}`);
      throw new ToolError(
        'sandbox_unavailable',
        `The command was not run: it must run in ${description}, which cannot be used (${obstacle}). Tell the user.`,
      );
    },
  };
}

function onHost(outcome: ShellOutcome, why: string): ShellOutcome {
  return noted(outcome, `[ran on this machine, outside the sandbox, ${why}]`);
}

function noted(outcome: ShellOutcome, note: string | undefined): ShellOutcome {
  if (note === undefined) return outcome;
  return { ...outcome, note: outcome.note === undefined ? note : `${outcome.note}\n${note}` };
}

/** A single `&`: the command starts background processes. */
const leavesRunning = /(?:^|[^&<>|])&(?![&>\d])/;

function endsWith({ endsWithCommand }: Sandbox, name: string, command: string): string | undefined {
  return endsWithCommand && leavesRunning.test(command)
    ? `[its background processes have ended: in ${name} no process outlives its command]`
    : undefined;
}
