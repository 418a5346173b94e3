import { ToolError } from '../core/error.js';
import type { McpLaunch, McpServerConfig } from './connection/server-config.js';

/** A server that a file wants started. */
export interface McpConsentRequest {
  readonly name: string;
  /** The file. */
  readonly source: string;
  /** SHA-256 of what is started and its environment, or of the address and its headers: consent holds for this only. */
  readonly hash: string;
  /** The program and its arguments. All texts stand here as in the file, with their variables not put in. */
  readonly command?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly url?: string | undefined;
  /** The variables that the program gets. */
  readonly env?: readonly McpConsentEntry[] | undefined;
  /** What is sent to the address. */
  readonly headers?: readonly McpConsentEntry[] | undefined;
  /** The variables of this process that are read for it. */
  readonly variables: readonly string[];
}

/** A variable or a header. Its value is told where that is nothing but `${VAR}`, since any other may be a secret. */
export interface McpConsentEntry {
  readonly name: string;
  readonly value?: string | undefined;
}

/** Says whether a server may start. Only `true` is a yes; whatever fails is a no. */
export type McpConsent = (
  server: McpConsentRequest,
  options: { readonly signal: AbortSignal },
) => boolean | Promise<boolean>;

/** Remembers consent as long as the process lives. */
export class ServerConsent {
  readonly #ask: McpConsent | undefined;
  readonly #given = new Set<string>();

  constructor(ask: McpConsent | undefined) {
    this.#ask = ask;
  }

  /** Throws `permission_denied` for a server from a file that nobody has consented to. */
  async assert(name: string, config: McpServerConfig, launch: McpLaunch, signal: AbortSignal): Promise<void> {
    const { source } = config;
    if (source === undefined) return;
    const key = JSON.stringify([name, launch.hash]);
    if (this.#given.has(key)) return;
    if (this.#ask === undefined) throw refused(`It stands in ${source} and starts after consent only: pass consent.`);
    const { command, args = [], cwd, url, env, headers } = config;
    const what =
      command === undefined
        ? { url, headers: entriesOf(headers) }
        : { command: [command, ...args], cwd, env: entriesOf(env) };
    const request = { name, source, hash: launch.hash, ...what, variables: [...launch.variables.keys()] };
    let answer: unknown;
    try {
      const asked = Promise.resolve(this.#ask(request, { signal }));
      answer = await Promise.race([asked, aborted(signal)]);
    } catch (cause) {
      throw refused('Consent to start it could not be had.', cause);
    }
    if (answer !== true) throw refused('Consent to start it was refused.');
    this.#given.add(key);
  }
}

function entriesOf(values: Readonly<Record<string, string>> = {}): readonly McpConsentEntry[] {
  return Object.entries(values).map(([name, value]) => ({ name, ...(/^(?:\$\{\w+\})+$/.test(value) && { value }) }));
}

function refused(message: string, cause?: unknown): ToolError {
  return new ToolError('permission_denied', message, { cause });
}

function aborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    else signal.addEventListener('abort', () => resolve(false), { once: true });
  });
}
