import type { Caller } from '../../core/context.js';
import {
  assertOptions,
  having,
  kindOf,
  type OptionKind,
  type OptionKinds,
  oneOf,
} from '../../core/support/check-values.js';
import type { Sandbox } from '../../ports/sandbox.js';

/** A sandbox for commands, and when commands may run outside the sandbox. */
export interface SandboxSettings {
  /** The sandbox, such as `bubblewrapSandbox()`. */
  readonly driver: Sandbox;
  /**
   * What happens when the sandbox cannot be used: `refuse` fails with `sandbox_unavailable`. `host` runs the command on
   * this machine and says so in the result. Default `refuse`.
   */
  readonly onUnavailable?: 'refuse' | 'host' | undefined;
  /** Whether a command may run outside the sandbox with `dangerouslyDisableSandbox`. Default false. */
  readonly allowDisable?: boolean | undefined;
}

/** Returns the sandbox for the commands of a caller, by its `sandboxKey`; undefined means this machine. */
export type SandboxFunction = (caller: Caller) => Sandbox | SandboxSettings | undefined;

/** The values of the option `sandbox`. */
export type SandboxOption = Sandbox | SandboxSettings | SandboxFunction;

const driver = having('a sandbox', 'obstacle', 'launch');
const settingKinds: OptionKinds<SandboxSettings> = {
  driver,
  onUnavailable: oneOf('refuse', 'host'),
  allowDisable: kindOf.flag,
};

/** Checks a value of the option `sandbox`. */
export const sandboxKind: OptionKind = {
  takes: `${driver.takes}, or { driver }, or a function of the caller that returns one`,
  holds: (value) => typeof value === 'function' || driver.holds(value) || hasDriver(value),
};

/** Whether the option is a function to call for each caller. A driver may also be a function, but it has methods. */
export function isSandboxFunction(option: SandboxOption): option is SandboxFunction {
  return typeof option === 'function' && !driver.holds(option);
}

/** Throws a TypeError unless the value is a sandbox or sandbox settings. */
export function assertSandbox(what: string, value: Sandbox | SandboxSettings): void {
  if (driver.holds(value)) return;
  assertOptions(what, value, settingKinds);
  if (!hasDriver(value)) throw new TypeError(`${what} takes ${sandboxKind.takes}`);
}

function hasDriver(value: unknown): boolean {
  return kindOf.record.holds(value) && driver.holds((value as Partial<SandboxSettings>).driver);
}
