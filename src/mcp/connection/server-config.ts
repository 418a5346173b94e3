import { ToolError } from '../../core/error.js';
import { assertOptions, isRecord, kindOf, type OptionKinds, oneOf } from '../../core/support/check-values.js';
import { parseHttpUrl } from '../../core/support/urls.js';
import { stableHash } from '../../core/text/content-hash.js';
import type { StoredMcpConfig } from '../../ports/mcp-grant-store.js';
import { ChildEnvironments } from '../../shell/run/child-environment.js';
import type { McpAuthProvider } from './sdk.js';

/**
 * The config of one server, in the common form: a program (`command`) or an address (`url`). In all string values (not
 * in keys) `${VAR}` is replaced by an environment variable of this process, and `${VAR:-default}` by a default if the
 * variable is missing or empty.
 */
export interface McpServerConfig extends StoredMcpConfig {
  /** Logs in when the server asks for a login. Default none. */
  readonly authProvider?: McpAuthProvider | undefined;
  /** Whether the manager starts the program or connects to the address. Default true. */
  readonly enabled?: boolean | undefined;
  /** The config file; a server from a file starts only after `consent`. Default: the host's code defines the server. */
  readonly source?: string | undefined;
}

/** A config with its variables replaced: the program to start or the address. */
export type McpLaunch = {
  readonly hash: string;
  /**
   * The environment variables that the config names, with their values; the value of an unset variable is empty.
   */
  readonly variables: ReadonlyMap<string, string>;
} & (
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string;
    }
  | {
      readonly kind: 'http' | 'sse';
      readonly url: URL;
      readonly headers: Readonly<Record<string, string>>;
    }
);

const configKinds: OptionKinds<McpServerConfig> = {
  type: oneOf('stdio', 'http', 'streamable-http', 'sse'),
  command: kindOf.text,
  args: kindOf.texts,
  env: kindOf.textsByName,
  cwd: kindOf.text,
  url: kindOf.text,
  headers: kindOf.textsByName,
  authProvider: kindOf.record,
  enabled: kindOf.flag,
  timeoutMs: kindOf.milliseconds,
  roots: {
    takes: 'false, "toolkit" or a list of absolute paths',
    isShown: true,
    holds: (value) => value === false || value === 'toolkit' || kindOf.absolutePaths.holds(value),
  },
  toolAllow: kindOf.texts,
  toolDeny: kindOf.texts,
  trusted: kindOf.flag,
  source: kindOf.text,
};

export const configNames: ReadonlySet<string> = new Set(Object.keys(configKinds));

/**
 * A host may pass a whole config as `servers`, so that a field of the config is read as a server name. For each such
 * field, this is the argument to write instead.
 */
const wholeConfigs = new Map([
  ['servers', '...config, consent'],
  ['mcpServers', 'servers: config.mcpServers'],
]);

/** Throws a TypeError with the name of the server if its config is invalid. */
export function assertServerConfig(name: string, config: unknown): asserts config is McpServerConfig {
  const what = `MCP server ${JSON.stringify(name)}`;
  if (name === '') throw new TypeError('An MCP server needs a name.');
  const write = wholeConfigs.get(name);
  if (write !== undefined && isRecord(config) && !('command' in config || 'url' in config))
    throw new TypeError(`McpManager: ${name} is not a server name here. Write new McpManager({ ${write} }).`);
  assertOptions(what, config, configKinds);
  const { type, command, url } = config as McpServerConfig;
  if ((command === undefined) === (url === undefined)) throw new TypeError(`${what} needs either command or url.`);
  if (type !== undefined && (type === 'stdio') !== (command !== undefined))
    throw new TypeError(`${what}: type ${type} needs ${type === 'stdio' ? 'command' : 'url'}.`);
  // A URL with variables is checked after the variables are replaced.
  if (url !== undefined && !url.includes('${') && parseHttpUrl(url) === undefined)
    throw new TypeError(`${what}: url must be an http or https URL.`);
}

/** Replaces the variables of a config. Throws `not_configured` with the name of a missing variable. */
export function expandConfig(name: string, config: McpServerConfig): McpLaunch {
  const { type, command, args = [], env = {}, cwd, url, headers = {} } = config;
  const variables = new Map<string, string>();
  const text = (value: string) => expand(value, name, variables);
  const texts = (values: Readonly<Record<string, string | undefined>>) =>
    Object.fromEntries(
      Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, text(value)]])),
    );
  if (command !== undefined) {
    const launch = { command: text(command), args: args.map(text), env: texts(env), cwd: text(cwd ?? process.cwd()) };
    return { kind: 'stdio', ...launch, variables, hash: stableHash(launch) };
  }
  const address = { url: addressOf(text(url ?? ''), name), headers: texts(headers) };
  return { kind: type === 'sse' ? 'sse' : 'http', ...address, variables, hash: stableHash(address) };
}

/**
 * The secrets in a server config, for the scrubber. These are the values in `env` and `headers` that look like
 * credentials, and the values of all referenced environment variables except paths and plain words.
 */
export function secretsOf(launch: McpLaunch): readonly string[] {
  const given = launch.kind === 'stdio' ? launch.env : credentials(launch.headers);
  const kept = Array.from(launch.variables.values(), (value, index) => [`TOKEN_${index}`, value]);
  // `make` judges its first argument by name and form, so a value that looks random is a secret. It judges its second
  // argument mainly by name, so the referenced variables get names of secrets (TOKEN_n).
  return new ChildEnvironments().make(given, Object.fromEntries(kept)).secrets();
}

function expand(text: string, server: string, variables: Map<string, string>): string {
  return text.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_, name: string, fallback: string | undefined) => {
    const value = Object.hasOwn(process.env, name) ? process.env[name] : undefined;
    variables.set(name, value ?? '');
    if (value !== undefined && (value !== '' || fallback === undefined)) return value;
    if (fallback !== undefined) return fallback;
    const message = `The config of MCP server ${JSON.stringify(server)} names the variable ${name}, which is not set.`;
    throw new ToolError('not_configured', `${message} Set it, or write \${${name}:-default}.`);
  });
}

function addressOf(text: string, server: string): URL {
  const url = parseHttpUrl(text);
  if (url !== undefined) return url;
  throw new ToolError('not_configured', `The url of MCP server ${JSON.stringify(server)} is not an http or https URL.`);
}

/**
 * Returns the headers with `authorization` renamed to a name that marks a credential, and without the scheme (such as
 * `Bearer`) before the token.
 */
function credentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, value]) => [name.replace(/authorization/i, 'TOKEN'), value.replace(/^\w+ +/, '')]),
  );
}
