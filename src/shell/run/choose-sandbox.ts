import type { Caller, CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { withHandledRejection } from '../../core/support/check-values.js';
import type { Sandbox } from '../../ports/sandbox.js';
import type { Shell, ShellOutcome, ShellRequest } from '../../ports/shell.js';
import { readCommand } from '../parse/read-command.js';
import {
  assertSandbox,
  isSandboxFunction,
  type SandboxFunction,
  type SandboxOption,
  type SandboxSettings,
} from '../sandbox/option.js';
import type { ProcessShell } from './lazy-shell.js';

/** The parts of a shell that runs commands in chosen sandboxes. */
export interface SandboxParts {
  readonly roots: readonly string[];
  readonly limits: Limits;
  /** Runs commands on this machine. */
  readonly outside: Shell;
  /** Creates a shell that runs commands in a sandbox. */
  readonly inside: (driver: Sandbox) => ProcessShell;
}

/** A shell whose commands run in the sandbox that was chosen for them. */
interface ChosenSandbox extends Shell {
  /** The longest default time limit of a command, in milliseconds. */
  readonly limitMs: number;
  hosts(): readonly ProcessShell[];
  /** The folder of this machine that corresponds to `directory`, the final directory of a command. */
  hostPath(directory: string, outcome: ShellOutcome): string | undefined;
  /** Disposes of the sandboxes that no other session uses. */
  endSession(sessionId: string): Promise<void>;
}

/** Runs commands in the sandbox of the option, or in the sandbox that the option chooses for their caller. */
export function chooseSandbox(sandbox: SandboxOption, parts: SandboxParts): ChosenSandbox {
  if (isSandboxFunction(sandbox)) return new KeyedSandboxes(sandbox, parts);
  const { shell, inside, driver } = confine(sandbox, parts);
  return {
    run: (request, scope) => shell.run(request, scope),
    limitMs: driver.timeoutMs,
    hosts: () => [inside],
    hostPath: (directory, outcome) => pathOutside(driver, directory, outcome, parts.roots),
    endSession: async () => {},
  };
}

interface Confined {
  readonly driver: Sandbox;
  readonly inside: ProcessShell;
  readonly shell: Shell;
}

function confine(sandbox: Sandbox | SandboxSettings, { inside: start, outside }: SandboxParts): Confined {
  const { driver, onUnavailable, allowDisable } = 'driver' in sandbox ? sandbox : { driver: sandbox };
  const inside = start(driver);
  return { driver, inside, shell: sandboxShell({ sandbox: driver, inside, outside, onUnavailable, allowDisable }) };
}

function pathOutside(driver: Sandbox, directory: string, { sandbox }: ShellOutcome, roots: readonly string[]) {
  return sandbox === undefined || driver.hostPath === undefined ? directory : driver.hostPath(directory, roots);
}

/** The sandbox of one key, and the sessions that have used it. Without a sandbox, commands run on this machine. */
interface KeyedSandbox {
  readonly confined: Confined | undefined;
  readonly sessions: Set<string>;
}

/** One sandbox for each `sandboxKey`, and one for all callers without a key. */
class KeyedSandboxes implements ChosenSandbox {
  readonly limitMs: number;
  readonly #choose: SandboxFunction;
  readonly #parts: SandboxParts;
  readonly #sandboxes = new Map<string | undefined, KeyedSandbox>();
  readonly #drivers = new WeakMap<ShellOutcome, Sandbox>();

  constructor(choose: SandboxFunction, parts: SandboxParts) {
    this.#choose = choose;
    this.#parts = parts;
    this.limitMs = parts.limits.bash.maxTimeoutMs;
  }

  async run(request: ShellRequest, scope: CallScope): Promise<ShellOutcome> {
    const { confined, sessions } = this.#sandboxOf(scope.caller);
    sessions.add(scope.caller.sessionId);
    if (confined === undefined) return await this.#parts.outside.run(request, scope);
    const outcome = await confined.shell.run(request, scope);
    this.#drivers.set(outcome, confined.driver);
    return outcome;
  }

  hosts(): readonly ProcessShell[] {
    return [...this.#sandboxes.values()].flatMap(({ confined }) => confined?.inside ?? []);
  }

  hostPath(directory: string, outcome: ShellOutcome): string | undefined {
    const driver = this.#drivers.get(outcome);
    return driver === undefined ? directory : pathOutside(driver, directory, outcome, this.#parts.roots);
  }

  async endSession(sessionId: string): Promise<void> {
    for (const [key, { confined, sessions }] of this.#sandboxes) {
      if (!sessions.delete(sessionId) || sessions.size > 0) continue;
      this.#sandboxes.delete(key);
      await confined?.inside.dispose();
    }
  }

  /** Fails closed: after an error the command runs neither on this machine nor in the sandbox of another caller. */
  #sandboxOf(caller: Caller): KeyedSandbox {
    const known = this.#sandboxes.get(caller.sandboxKey);
    if (known !== undefined) return known;
    const confined = this.#confinedFor(caller);
    const isShared = [...this.#sandboxes.values()].some((keyed) => keyed.confined?.driver === confined?.driver);
    if (confined !== undefined && isShared) throw unavailable('it gave the sandbox of another sandboxKey');
    const keyed = { confined, sessions: new Set<string>() };
    this.#sandboxes.set(caller.sandboxKey, keyed);
    return keyed;
  }

  #confinedFor(caller: Caller): Confined | undefined {
    try {
      const chosen = withHandledRejection(this.#choose(caller));
      if (chosen === undefined) return undefined;
      assertSandbox('sandbox', chosen);
      return confine(chosen, this.#parts);
    } catch (thrown) {
      throw unavailable(ToolError.from(thrown).message, thrown);
    }
  }
}

function unavailable(why: string, cause?: unknown): ToolError {
  const message = `The command was not run: no sandbox could be chosen for this session (${why}). Tell the user.`;
  return new ToolError('sandbox_unavailable', message, { cause });
}

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

/**
 * A shell whose commands run in a sandbox, and outside the sandbox only if permitted. The result says where a command
 * ran.
 */
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

/** Adds a note to an outcome, after the notes that it has. */
export function noted(outcome: ShellOutcome, note: string | undefined): ShellOutcome {
  if (note === undefined) return outcome;
  return { ...outcome, note: outcome.note === undefined ? note : `${outcome.note}\n${note}` };
}

function endsWith({ endsWithCommand }: Sandbox, name: string, command: string): string | undefined {
  return endsWithCommand && readCommand(command).commands.some(({ background }) => background)
    ? `[the background processes of the command have ended: in ${name} no process outlives its command]`
    : undefined;
}
