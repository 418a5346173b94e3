import { resolve } from 'node:path';
import type { Target } from '../core/assessment.js';
import { ruleNames } from '../core/builtin-tool-facts.js';
import { assertOptions, kindOf, type OptionKinds } from '../core/support/check-values.js';
import { didYouMean } from '../core/support/near-names.js';
import { hostName } from '../core/support/urls.js';
import { matchesText } from '../core/text/star-pattern.js';
import { builtinName, builtinsThat, builtinTool, isMcpName, type McpOrigin } from '../core/tool-names.js';
import type { PermissionMode, PermissionRequest } from '../ports/permissions.js';

/** One rule of a permission list, such as `Bash(npm run *)`, `Edit(src/**)` or `mcp__github__*`. */
export interface Rule {
  /** The text as it was written. */
  readonly text: string;
  /** Tool name, in which `*` stands for any characters. */
  readonly tool: string;
  /** The text in brackets; undefined for a bare name. The pattern `*` matches every target of the tool. */
  readonly pattern: string | undefined;
}

/**
 * The name of a tool in a rule or a policy. The names of MCP servers and of their tools may contain other characters.
 */
export const ruleNameForm = /^(?:[A-Za-z0-9_*-]{1,128}|mcp__[^(),\p{C}]{0,255}[^(),\p{C}\s])$/u;
const ruleForm = /^([^(]*)(?:\((.*)\))?$/s;

/**
 * Parses a rule. Throws a TypeError for an invalid rule, because a rule that silently never matches gives no
 * protection.
 */
export function parseRule(text: unknown): Rule {
  const match = typeof text === 'string' ? ruleForm.exec(text.trim()) : null;
  const name = match?.[1];
  if (name === undefined || !ruleNameForm.test(name)) {
    throw new TypeError(
      `Permission rule ${JSON.stringify(text)} must be a tool name, or a name with a pattern such as Bash(npm run *) or Edit(src/**)`,
    );
  }
  const pattern = match?.[2]?.trim();
  if (pattern === '')
    throw new TypeError(
      `Permission rule ${JSON.stringify(text)} has an empty pattern: leave out the brackets, or write a pattern, such as Bash(npm run *)`,
    );
  if (
    pattern !== undefined &&
    pattern !== '*' &&
    builtinName(name) === ruleNames.url &&
    ruleHost(pattern) === undefined
  )
    throw new TypeError(
      `Permission rule ${JSON.stringify(text)} names no host: write WebFetch(domain:example.com), without scheme, port or path`,
    );
  return { text: String(text), tool: name, pattern };
}

/** The tool of a call, for comparison with the name in a rule. */
interface CalledTool {
  readonly name: string;
  /**
   * The MCP server and the name of the tool there, if the tool declares them. Otherwise both can only be guessed from
   * the name.
   */
  readonly mcp?: McpOrigin | undefined;
  /**
   * Whether a name means this tool, as an alias or in another letter case. False if a different tool has exactly that
   * name.
   */
  isCalled(name: string): boolean;
}

/**
 * The tool of a request. If the request has no aliases, the aliases of the built-in tools apply, in any letter case.
 * With `folded`, letter case is also ignored in the aliases of the request.
 */
export function calledTool(
  { tool, mcp, aliases }: Pick<PermissionRequest, 'tool' | 'mcp' | 'aliases'>,
  letterCase: 'exact' | 'folded',
): CalledTool {
  const fold = (text: string) => (letterCase === 'folded' ? text.toLowerCase() : text);
  const isCalled = (name: string) =>
    aliases === undefined ? builtinName(name) === tool : aliases.some((alias) => fold(alias) === fold(name));
  return { name: tool, mcp, isCalled };
}

/**
 * Whether the name in a rule covers a tool: the same name, `*`, an MCP server (`mcp__github` or `mcp__github__*`), or a
 * name with `*` inside. The name of the tool on its server is compared, even if the tool is registered under another
 * name. In deny and ask rules (`folded`), letter case is ignored, and a character that became `_` in the registered
 * name may be written as itself or as `_`.
 */
export function coversName(rule: Rule, called: CalledTool, letterCase: 'exact' | 'folded' = 'exact'): boolean {
  if (rule.tool === called.name || rule.tool === '*') return true;
  const isFolded = letterCase === 'folded';
  // An allow rule with a pattern needs the name in its exact letter case.
  if (!isFolded && rule.pattern !== undefined && rule.tool.toLowerCase() === called.name.toLowerCase()) return false;
  const fold = (text: string) => (isFolded ? text.toLowerCase() : text);
  const [pattern, name] = [fold(rule.tool), fold(called.name)];
  const hasStar = pattern.includes('*');
  if (!hasStar && (pattern === name || called.isCalled(rule.tool))) return true;
  const isForServer = pattern.startsWith(mcpPrefix);
  if (!hasStar && !isForServer) return false;
  const origins = originsOf(called, isFolded).map(({ server, tool }) => ({ server: fold(server), tool: fold(tool) }));
  // A pattern that begins with a star may cover tools of several servers, so it is compared with the registered name.
  if (origins.length === 0 || pattern.startsWith('*') || (isFolded && !isForServer))
    return hasStar && matchesText(pattern, name);
  if (!isForServer) return false;
  const covers = (origin: McpOrigin) => coversOrigin(pattern.slice(mcpPrefix.length), origin, isFolded);
  return isFolded ? origins.some(covers) : origins.every(covers);
}

const mcpPrefix = 'mcp__';

/**
 * The server of an MCP tool, and the name of the tool there. If the tool declares no server, returns every possible
 * split of its name: `mcp__a__b__c` gives `a` with `b__c` and `a__b` with `c`.
 */
export function originsOf({ name, mcp }: Pick<CalledTool, 'name' | 'mcp'>, isFolded: boolean): readonly McpOrigin[] {
  if (mcp !== undefined) {
    const plain = (text: string) => text.replaceAll(/[^A-Za-z0-9_-]/g, '_');
    return isFolded ? [mcp, { server: plain(mcp.server), tool: plain(mcp.tool) }] : [mcp];
  }
  if (!isMcpName(name)) return [];
  const rest = name.slice(mcpPrefix.length);
  const origins: McpOrigin[] = [];
  for (let at = rest.indexOf('__', 1); at !== -1; at = rest.indexOf('__', at + 1))
    origins.push({ server: rest.slice(0, at), tool: rest.slice(at + 2) });
  return origins;
}

/**
 * Whether a pattern covers an MCP tool. The pattern names a server, or a server and a tool. `a*` covers the tools of
 * every server whose name begins with `a`, but `a__*` covers only the tools of the server `a`, and none of a server
 * `a__b`. Without a star, `a__b` may mean the server `a__b`, or the tool `b` of the server `a`. In allow rules it means
 * only the tool; in deny and ask rules it means both.
 */
function coversOrigin(pattern: string, { server, tool }: McpOrigin, isFolded: boolean): boolean {
  if (!pattern.includes('*'))
    return pattern === `${server}__${tool}` || (pattern === server && (isFolded || !/.__./.test(server)));
  const head = pattern.slice(0, pattern.indexOf('*'));
  if (!head.includes('__')) return server.startsWith(head) && matchesText(pattern, `${server}__${tool}`);
  return pattern.startsWith(`${server}__`) && matchesText(pattern.slice(server.length + 2), tool);
}

/** The host after `domain:` in the form that URLs have (lower case, punycode); undefined if it is not a host. */
export function ruleHost(pattern: string): string | undefined {
  return pattern.startsWith('domain:') ? hostName(pattern.slice('domain:'.length)) : undefined;
}

/** The built-in tools that have targets. */
export const toolsWithTargets: readonly string[] = builtinsThat(({ acts, edits }) => acts ?? edits);

/**
 * The targets of a request. If the request does not set them, they are read from the input, as the built-in tool with
 * that name or alias would read them.
 */
export function targetsOf(
  { targets, tool, input }: Pick<PermissionRequest, 'targets' | 'tool' | 'input'>,
  root: string,
): readonly Target[] {
  if (targets !== undefined) return targets;
  const { acts } = builtinTool(builtinName(tool) ?? '') ?? {};
  const text = acts && (fieldText(input, acts.field) ?? acts.missing);
  if (acts === undefined || text === undefined) return [];
  switch (acts.on) {
    case 'command':
      return [{ kind: 'command', command: text }];
    case 'url':
      return [{ kind: 'url', url: text }];
    case 'agent':
      return [{ kind: 'agent', type: text }];
    default:
      return [{ kind: acts.on, path: resolve(root, text) }];
  }
}

function fieldText(input: unknown, field: string): string | undefined {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, field)) return undefined;
  const value: unknown = input[field as never];
  return typeof value === 'string' ? value : undefined;
}

/** Options for decisions that need no person: rules, mode and auto-allow. */
export interface RuleOptions {
  /**
   * Decides about calls that no rule matches. Default `default`. `acceptEdits` allows edits and low-risk reads inside
   * the workspace; if a request does not say whether a file is inside, `root` and the added folders decide.
   */
  readonly mode?: PermissionMode | undefined;
  /** Rules such as `Edit(src/**)` for calls that run without asking. Default none. */
  readonly allow?: readonly string[] | undefined;
  /** Rules for calls that a person is asked about in every mode except `dontAsk`, which denies them. Default none. */
  readonly ask?: readonly string[] | undefined;
  /** Rules for calls that never run. Default none. */
  readonly deny?: readonly string[] | undefined;
  /** The folder where relative path patterns start, for targets without `root`. Default: the current folder. */
  readonly root?: string | undefined;
  /**
   * The calls that run without asking if no rule matches. `true`: calls of auto-allowed tools and calls of risk none.
   * `'low-risk'`: also calls of risk low; read-only commands in a command line then need no allow rule if they name no
   * files. `false`: no calls. Default true.
   */
  readonly autoAllow?: boolean | 'low-risk' | undefined;
}

/** Rules to add or remove, by kind. */
export interface RuleChanges extends Pick<RuleOptions, 'allow' | 'ask' | 'deny'> {}

const modes: Readonly<Record<PermissionMode, true>> = {
  default: true,
  acceptEdits: true,
  plan: true,
  dontAsk: true,
  bypassPermissions: true,
};
const changeKinds: OptionKinds<RuleChanges> = { allow: kindOf.texts, ask: kindOf.texts, deny: kindOf.texts };

/** Throws a TypeError if the value is not an object with the lists allow, ask and deny. */
export function checkChanges(what: string, changes: RuleChanges): RuleChanges {
  assertOptions(what, changes, changeKinds);
  return changes;
}

/** Throws a TypeError that suggests similar names for an unknown mode. */
export function checkMode(mode: PermissionMode): PermissionMode {
  if (Object.hasOwn(modes, mode)) return mode;
  const names = Object.keys(modes);
  const next = didYouMean(String(mode), names) || ` The modes are ${names.join(', ')}.`;
  throw new TypeError(`Permission mode ${JSON.stringify(mode)} is unknown.${next}`);
}
