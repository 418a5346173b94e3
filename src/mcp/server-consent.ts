import { ToolError } from '../core/error.js';
import { unlessAborted } from '../core/support/timers.js';
import type { McpLaunch, McpServerConfig } from './connection/server-config.js';

/** A server from a config file, before it starts. */
export interface McpConsentRequest {
  readonly name: string;
  /** The config file that defines the server. */
  readonly source: string;
  /**
   * SHA-256 of the program and its environment, or of the address and its headers; consent applies to this hash only.
   */
  readonly hash: string;
  /** The program and its arguments. All texts are shown as in the file, without replacing variables. */
  readonly command?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly url?: string | undefined;
  /** The variables that the config sets for the program. */
  readonly env?: readonly McpConsentEntry[] | undefined;
  /** The headers of each request. */
  readonly headers?: readonly McpConsentEntry[] | undefined;
  /** The variables of this process that the config uses. */
  readonly variables: readonly string[];
}

/**
 * A variable or a header. Only a value that consists of `${VAR}` references is included: any other value may be a
 * secret.
 */
export interface McpConsentEntry {
  readonly name: string;
  readonly value?: string | undefined;
}

/** Decides whether a server may start. Only `true` allows it; an error refuses it. */
export type McpConsent = (
  server: McpConsentRequest,
  options: { readonly signal: AbortSignal },
) => boolean | Promise<boolean>;

/**
 * Makes a check that asks for consent and remembers the consent as long as its manager exists. The check throws
 * `permission_denied` for a server from a file that has no consent.
 */
export function serverConsent(ask: McpConsent | undefined) {
  const given = new Set<string>();
  return async (name: string, config: McpServerConfig, launch: McpLaunch, signal: AbortSignal): Promise<void> => {
    const { source } = config;
    if (source === undefined) return;
    const key = JSON.stringify([name, launch.hash]);
    if (given.has(key)) return;
    if (ask === undefined)
      throw refused(`It is configured in ${source} and starts only after consent: pass the option consent.`);
    const { command, args = [], cwd, url, env, headers } = config;
    const what =
      command === undefined
        ? { url, headers: entriesOf(headers) }
        : { command: [command, ...args], cwd, env: entriesOf(env) };
    const request = { name, source, hash: launch.hash, ...what, variables: [...launch.variables.keys()] };
    let answer: unknown;
    try {
      answer = await unlessAborted(Promise.resolve(ask(request, { signal })), signal, () => false);
    } catch (cause) {
      throw refused('Consent to start it could not be obtained.', cause);
    }
    if (answer !== true) throw refused('Consent to start it was refused.');
    given.add(key);
  };
}

function entriesOf(values: Readonly<Record<string, string>> = {}): readonly McpConsentEntry[] {
  return Object.entries(values).map(([name, value]) => ({ name, ...(/^(?:\$\{\w+\})+$/.test(value) && { value }) }));
}

function refused(message: string, cause?: unknown): ToolError {
  return new ToolError('permission_denied', message, { cause });
}
