import { ruleNames } from '../../core/builtin-tools.js';
import type { Target } from '../../core/tool.js';
import { traitsOf } from '../../core/tool-names.js';
import type { PermissionRequest } from '../../host/permissions.js';
import { parseAddress } from '../../text/parse-address.js';
import { CommandRules, suggestCommandPatterns } from './command-rules.js';
import { parseRule } from './rule.js';
import { RuleList } from './rule-list.js';
import { isSharedDomain } from './shared-domain.js';
import { shown } from './shown.js';
import { targetsOf } from './targets.js';

/**
 * The narrowest useful rules for "always": this file, these command words, this host; a bare name only for tools that
 * have no such thing. None where the tool itself demands to be asked about each time, and none that would mean another
 * call than this one, or more than a person can see of it.
 */
export function suggestRules(request: PermissionRequest): readonly string[] {
  if (request.mustAsk !== undefined || traitsOf(request).endsPlan === true) return [];
  const targets = targetsOf(request, '/');
  const rules = targets.length === 0 ? [request.tool] : targets.flatMap((target) => suggestRule(request.tool, target));
  return rules.every((rule) => shown(rule) === rule) && covers(rules, request, targets) ? rules : [];
}

/** Whether the rules allow the call that they were made from. */
function covers(rules: readonly string[], request: PermissionRequest, targets: readonly Target[]): boolean {
  if (!rules.every(isRule)) return false;
  return new RuleList('allow', new CommandRules(), rules).match(request, targets, '/') !== undefined;
}

function isRule(text: string): boolean {
  try {
    const { tool, pattern } = parseRule(text);
    return text === (pattern === undefined ? tool : `${tool}(${pattern})`);
  } catch {
    return false;
  }
}

function suggestRule(tool: string, target: Target): readonly string[] {
  switch (target.kind) {
    case 'read':
    case 'edit':
      return [`${ruleNames[target.kind]}(${literal(target.path)})`];
    case 'command':
      return suggestCommandPatterns(target.command).map((pattern) => `${tool}(${pattern})`);
    case 'url':
      return hostOf(target.url).map((host) => `${tool}(domain:${host})`);
    case 'agent':
      return target.type === '*' ? [] : [`${tool}(${target.type})`];
    case 'own':
      return target.name.includes('*') ? [] : [`${tool}(${target.name})`];
  }
}

/** The host of an address, unless a rule for it would cover the hosts of strangers. */
function hostOf(url: string): readonly string[] {
  const host = parseAddress(url)?.hostname ?? '';
  return host === '' || isSharedDomain(host) ? [] : [host];
}

/** A path may hold characters that mean something in a glob. */
function literal(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!+@|]/g, '\\$&');
}
