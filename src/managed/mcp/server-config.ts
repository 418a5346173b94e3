import { assertOptions, isRecord, kindOf, type OptionKinds, oneOf } from '../../core/support/check-values.js';
import { stableHash } from '../../core/text/content-hash.js';
import { assertServerConfig } from '../../mcp/connection/server-config.js';
import type {
  McpAgentGrant,
  McpConfigOverrides,
  McpServerDefinition,
  NewMcpAccessRequest,
  StoredMcpConfig,
} from '../../ports/mcp-grant-store.js';
import { opened, type SecretBox, sealed } from '../database/secret-box.js';

const serverKinds: OptionKinds<McpServerDefinition> = {
  name: {
    takes: 'a letter, then up to 39 letters, digits, _ and -',
    isShown: true,
    holds: (value) => typeof value === 'string' && /^[A-Za-z][\w-]{0,39}$/.test(value),
  },
  config: kindOf.record,
  enabled: kindOf.flag,
};

const grantKinds: OptionKinds<McpAgentGrant> = {
  toolAllow: kindOf.texts,
  toolDeny: kindOf.texts,
  enabled: kindOf.flag,
  configOverrides: kindOf.record,
};

const requestKinds: OptionKinds<NewMcpAccessRequest> = {
  server: kindOf.text,
  scope: oneOf('agent', 'user'),
  subject: kindOf.text,
  toolAllow: kindOf.texts,
  requestedBy: kindOf.text,
};

const overridable = ['args', 'env', 'cwd', 'url', 'headers', 'timeoutMs', 'roots'] as const;

/** Throws a TypeError that names the field for an invalid server. */
export function assertServer(definition: McpServerDefinition): void {
  assertOptions('putServer', definition, serverKinds, 'name', 'config');
  const { name, config } = definition;
  assertServerConfig(name, config);
  const unstorable = ['authProvider', 'source', 'enabled'].find((key) => key in config);
  if (unstorable !== undefined) throw new TypeError(`putServer: config takes no ${unstorable}`);
}

/** Throws a TypeError that names the field for an invalid grant of the server `name`. */
export function assertGrant(
  what: string,
  subject: unknown,
  grant: McpAgentGrant,
  name: string,
  config: StoredMcpConfig,
): void {
  assertOptions(what, { subject }, { subject: kindOf.text });
  const { configOverrides: _, ...others } = grantKinds;
  assertOptions(what, grant, what === 'grantAgent' ? grantKinds : others);
  const overrides = grant.configOverrides ?? {};
  const overrideKinds = Object.fromEntries(overridable.map((key) => [key, kindOf.anything]));
  assertOptions(`${what}: configOverrides`, overrides, overrideKinds);
  assertServerConfig(name, withOverrides(config, overrides));
}

export function assertRequest(request: NewMcpAccessRequest): void {
  assertOptions('createRequest', request, requestKinds, 'server', 'scope', 'subject', 'requestedBy');
}

export function assertReview(decision: unknown, review: object): void {
  assertOptions('reviewRequest', { decision }, { decision: oneOf('approve', 'reject') });
  assertOptions('reviewRequest', review, { by: kindOf.text, note: kindOf.anyText }, 'by');
}

/** A config with the overrides of a grant; ignores fields that a grant cannot override. */
export function withOverrides(config: StoredMcpConfig, overrides: McpConfigOverrides): StoredMcpConfig {
  const given = overridable.filter((key) => overrides[key] !== undefined);
  const known = Object.fromEntries(given.map((key) => [key, overrides[key]]));
  const joined = (key: 'env' | 'headers') =>
    isRecord(overrides[key]) ? { [key]: { ...config[key], ...overrides[key] } } : {};
  return { ...config, ...known, ...joined('env'), ...joined('headers') };
}

/** The name of the running server: `name` without overrides, else a different name for each set of overrides. */
export function instanceName(name: string, overrides: McpConfigOverrides = {}): string {
  const hash = stableHash(overrides);
  return hash === stableHash({}) ? name : `${name}-${hash.slice(0, 8)}`;
}

/** Splits a config into its plain part and its encrypted secrets. Throws `not_configured` for secrets without a box. */
export function sealConfig(
  { env, headers, ...plain }: StoredMcpConfig,
  context: string,
  box: SecretBox | undefined,
): readonly [plain: StoredMcpConfig, sealed: string | undefined] {
  const secrets = Object.entries({ env, headers }).filter(([, texts]) => Object.keys(texts ?? {}).length > 0);
  return [plain, sealed(Object.fromEntries(secrets), { box, context, what })];
}

/** Restores a config; `problem` is the reason if its secrets cannot be decrypted. */
export function openConfig(
  plain: StoredMcpConfig,
  secrets: unknown,
  context: string,
  box: SecretBox | undefined,
): readonly [config: StoredMcpConfig, problem: string | undefined] {
  const { value, problem } = opened(secrets, { box, context, what });
  return [{ ...plain, ...value }, problem];
}

const what = 'The env or headers of an MCP server are secret';
