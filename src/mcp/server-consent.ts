import { ToolError } from '../core/error.js';
import type { McpLaunch, McpServerConfig } from './connection/server-config.js';

/** A server that a file wants started. */
export interface McpConsentRequest {
  readonly name: string;
  /** The file. */
  readonly source: string;
  /** SHA-256 of what is started and its environment, or of the address and its headers: consent holds for this only. */
  readonly hash: string;
  /** The program and its arguments, as they would be started. */
  readonly command?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  /** The names of the variables that it gets. */
  readonly env?: readonly string[] | undefined;
  readonly url?: string | undefined;
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
  async assert(name: string, { source }: McpServerConfig, launch: McpLaunch, signal: AbortSignal): Promise<void> {
    if (source === undefined) return;
    const key = JSON.stringify([name, launch.hash]);
    if (this.#given.has(key)) return;
    if (this.#ask === undefined) throw refused(`It stands in ${source} and starts after consent only: pass consent.`);
    const { hash } = launch;
    const what =
      launch.kind === 'stdio'
        ? { command: [launch.command, ...launch.args], cwd: launch.cwd, env: Object.keys(launch.env) }
        : { url: launch.url.href };
    let answer: unknown;
    try {
      const asked = Promise.resolve(this.#ask({ name, source, hash, ...what }, { signal }));
      answer = await Promise.race([asked, aborted(signal)]);
    } catch (cause) {
      throw refused('Consent to start it could not be had.', cause);
    }
    if (answer !== true) throw refused('Consent to start it was refused.');
    this.#given.add(key);
  }
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
