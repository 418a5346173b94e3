import type { Target } from '../core/assessment.js';
import { ruleNames } from '../core/builtin-tool-facts.js';
import { accessNumbers } from '../core/fixed-limits.js';
import { parseAddress } from '../core/support/urls.js';
import { escapeLine } from '../core/text/escape-for-people.js';
import { traitsOf } from '../core/tool-names.js';
import type { PermissionRequest } from '../ports/permissions.js';
import { scrubCredentials } from '../secrets/scrubber.js';
import { suggestRules as suggestCommandRules } from '../shell/assess/suggest-command-rules.js';
import { readCommand } from '../shell/parse/read-command.js';
import { escapeGlob } from './path-pattern.js';
import { parseRule, targetsOf } from './rule.js';
import { RuleList } from './rule-list.js';

/**
 * The rules to offer for the answer "allow-always", as narrow as possible: this file, these command words, this host; a
 * bare name only for tools without targets. Empty if the tool must ask every time, if the rules would not allow this
 * call, or if a rule could not be shown in full.
 */
export function suggestRules(request: PermissionRequest): readonly string[] {
  if (request.mustAsk !== undefined || traitsOf(request).endsPlan === true) return [];
  const targets = targetsOf(request, '/');
  const rules = targets.length === 0 ? [request.tool] : targets.flatMap((target) => suggestRule(request.tool, target));
  return rules.every((rule) => shown(rule) === rule) && covers(rules, request, targets) ? rules : [];
}

/** Whether the rules allow the call from which they were made. */
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

/** The host of an address, unless a rule for it would cover hosts of other owners. */
function hostOf(url: string): readonly string[] {
  const host = parseAddress(url)?.hostname ?? '';
  return host === '' || isSharedDomain(host) ? [] : [host];
}

const secondLevel = /^(?:ac|co|com|edu|gob|gov|go|gouv|ltd|me|mil|ne|net|nom|or|org|plc|sch)\.[a-z]{2}$/;

/** Domains of large hosting services, below which anyone can have a host. */
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
 * True for a host whose subdomains belong to different owners: `com`, `co.uk`, `github.io`. The check is not complete,
 * because the public suffix list changes every week.
 */
function isSharedDomain(host: string): boolean {
  const name = host.toLowerCase().replace(/\.+$/, '');
  if (name === 'localhost' || name.startsWith('[')) return false;
  return !name.includes('.') || secondLevel.test(name) || hosting.has(name);
}

const { maxShownChars } = accessNumbers;

/** A text for the person who decides: one line, without credentials, with invisible characters escaped. */
export function shown(text: string): string {
  const line = escapeLine(scrubCredentials(text), maxShownChars);
  return line.length > maxShownChars ? `${line.slice(0, maxShownChars)}…` : line;
}
