import { ruleNames } from '../../core/builtin-tools.js';
import { parseAddress } from '../../core/http/parse-address.js';
import { accessNumbers } from '../../core/numbers.js';
import { escapeLine } from '../../core/text/display.js';
import type { Target } from '../../core/tool.js';
import { traitsOf } from '../../core/tool-names.js';
import type { PermissionRequest } from '../../ports/permissions.js';
import { scrubCredentials } from '../../secrets/scrubber.js';
import { readCommand } from '../../shell/parse/read-command.js';
import { suggestRules as suggestCommandRules } from '../../shell/rules/suggest-command-rules.js';
import { escapeGlob } from './path-pattern.js';
import { parseRule, targetsOf } from './rule.js';
import { RuleList } from './rule-list.js';

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
  return new RuleList('allow', rules).match(request, targets, '/') !== undefined;
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
      return [`${ruleNames[target.kind]}(${escapeGlob(target.path)})`];
    case 'command':
      return suggestCommandRules(readCommand(target.command)).map((pattern) => `${tool}(${pattern})`);
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

const secondLevel = /^(?:ac|co|com|edu|gob|gov|go|gouv|ltd|me|mil|ne|net|nom|or|org|plc|sch)\.[a-z]{2}$/;

/** Names under which anybody can have a host, at the large hosting services. */
const hosting: ReadonlySet<string> = new Set(
  (
    'amazonaws.com appspot.com azureedge.net azurewebsites.net azurestaticapps.net blogspot.com cloudapp.net cloudfront.net deno.dev ' +
    'dyndns.org duckdns.org firebaseapp.com fly.dev github.dev github.io githubpreview.dev gitlab.io glitch.me googleusercontent.com herokuapp.com hf.space ' +
    'loca.lt netlify.app ngrok.app ngrok.io ngrok-free.app nip.io ondigitalocean.app onrender.com pages.dev pythonanywhere.com r2.dev ' +
    'railway.app readthedocs.io repl.co replit.app replit.dev run.app sharepoint.com sslip.io surge.sh supabase.co trycloudflare.com ' +
    'vercel.app web.app webflow.io windows.net wixsite.com wordpress.com workers.dev'
  ).split(' '),
);

/**
 * True for a host whose subdomains belong to strangers: `com`, `co.uk`, `github.io`. Not complete; the list of all such
 * names changes every week.
 */
function isSharedDomain(host: string): boolean {
  const name = host.toLowerCase().replace(/\.+$/, '');
  if (name === 'localhost' || name.startsWith('[')) return false;
  return !name.includes('.') || secondLevel.test(name) || hosting.has(name);
}

const { maxShownChars } = accessNumbers;

/** A text for the person who decides: one line, without credentials, with everything that cannot be seen spelled out. */
export function shown(text: string): string {
  const line = escapeLine(scrubCredentials(text), maxShownChars);
  return line.length > maxShownChars ? `${line.slice(0, maxShownChars)}…` : line;
}
