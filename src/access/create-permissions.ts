import type { Caller, CallScope } from '../core/context.js';
import { assertKnownKeys } from '../core/known-keys.js';
import type { PermissionDecision, PermissionMode, PermissionRequest, Permissions } from '../host/permissions.js';
import { type Decider, type PermissionExplanation, PermissionRules, type RuleChanges } from './permission-rules.js';
import { PromptQueue } from './prompt-queue.js';
import { suggestRules } from './suggest-rules.js';

/** What a person may answer: yes for this call, yes for all like it, no, or a decision in full. */
export type AskAnswer = 'allow-once' | 'allow-always' | 'deny' | PermissionDecision;

/** How calls are decided. Everything is optional; without anything only what looks and never acts runs. */
export interface PermissionsOptions {
  /** Default `default`. */
  readonly mode?: PermissionMode;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  /** Asks a person. It has `limits.approval.timeoutMs`; the scope's signal aborts when that is over. Without it, what would be asked is denied. */
  readonly onAsk?: (request: PermissionRequest, scope: CallScope) => Promise<AskAnswer> | AskAnswer;
  /** Where relative path patterns start when the call does not say. Default: the current folder. */
  readonly root?: string;
  /** `true` (default): the marked tools run without asking; `'low-risk'`: every call of risk none or low does too; `false`: all are asked. */
  readonly autoAllow?: boolean | 'low-risk';
}

/** Permissions by modes and rules; rules and mode may change while calls run. */
export interface RulePermissions extends Permissions {
  readonly mode: PermissionMode;
  setMode(mode: PermissionMode): void;
  addRules(rules: RuleChanges): void;
  removeRules(rules: RuleChanges): void;
  /** What would happen to a call and why, without asking anybody. */
  explain(request: PermissionRequest): PermissionExplanation;
  /** Whether a deny rule keeps this file from being read, whichever tool would show it. */
  hidesPath(path: string, root: string): boolean;
}

const known: Readonly<Record<keyof PermissionsOptions, true>> = {
  mode: true,
  allow: true,
  ask: true,
  deny: true,
  onAsk: true,
  root: true,
  autoAllow: true,
};

/**
 * Permissions in the order deny > ask > allow > auto-allowed > mode.
 * A rule is a tool name, or a name with a pattern: `Bash(npm run *)`, `Edit(src/**)`, `WebFetch(domain:example.com)`, `mcp__github__*`, `Agent(type)`.
 * Throws a TypeError for an unknown option, mode or a rule that is none.
 */
export function createPermissions(options: PermissionsOptions = {}): RulePermissions {
  assertKnownKeys('createPermissions', options, known);
  const rules = new PermissionRules(options);
  const prompts = new PromptQueue();
  const decide = (request: PermissionRequest, caller: Caller): PermissionDecision | undefined => {
    const decision = rules.decide(request, caller.sessionId);
    if (decision.behavior !== 'ask') return settled(decision);
    // The person who was asked wrote this input; only a deny rule is above them.
    return request.rewrittenBy === 'permission' ? { behavior: 'allow' } : undefined;
  };
  return {
    get mode() {
      return rules.mode;
    },
    setMode: (mode) => rules.setMode(mode),
    addRules: (changes) => rules.add(changes),
    removeRules: (changes) => rules.remove(changes),
    explain: (request) => rules.decide(request),
    hidesPath: (path, root) => rules.hidesPath(path, root),
    decide,
    check: async (request, scope) =>
      decide(request, scope.caller) ?? (await prompts.add(scope, () => ask(request, scope, rules, options.onAsk))),
  };
}

/** Asks, unless an answer of "always" that came in while this call waited has decided it. */
async function ask(
  request: PermissionRequest,
  scope: CallScope,
  rules: Decider,
  onAsk: PermissionsOptions['onAsk'],
): Promise<PermissionDecision> {
  const decision = rules.decide(request, scope.caller.sessionId);
  if (decision.behavior !== 'ask') return settled(decision);
  const suggestions = suggestRules(request);
  if (onAsk === undefined) return { behavior: 'deny', message: nobodyToAsk(request, decision, suggestions) };
  request.announce?.(decision.reason);
  const answer = await onAsk({ ...request, reason: decision.reason, suggestions }, scope);
  if (answer === 'allow-always') rules.remember(suggestions, scope.caller.sessionId);
  if (answer === 'allow-once' || answer === 'allow-always') return { behavior: 'allow' };
  if (answer === 'deny')
    return {
      behavior: 'deny',
      message: `The user refused ${request.tool}. Do not repeat this call; do something else or ask what they want.`,
    };
  return answer;
}

function settled(decision: PermissionExplanation): PermissionDecision {
  if (decision.behavior === 'allow') return { behavior: 'allow' };
  return { behavior: 'deny', message: `${decision.reason} Do not try another way around it; do something else or ask the user.` };
}

function nobodyToAsk({ tool }: PermissionRequest, { reason }: PermissionExplanation, suggestions: readonly string[]): string {
  const rule = suggestions[0] ?? tool;
  return `${tool} needs permission and there is nobody to ask (${reason.replace(/\.$/, '')}). The program that runs this agent can allow it: permissions: createPermissions({ allow: [${JSON.stringify(rule)}] }), or pass onAsk.`;
}
