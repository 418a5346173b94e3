import { isAbsolute } from 'node:path';
import { assessCommand, type CommandAssessment } from '../command/assess-command.js';
import type { Caller, CallScope } from '../core/context.js';
import type { Answering } from '../core/support/answering.js';
import { assertOptions, kindOf, type OptionKinds, oneOf } from '../core/support/option-kinds.js';
import type { PermissionDecision, PermissionMode, PermissionRequest, Permissions } from '../host/permissions.js';
import { explainSafety } from './explain-safety.js';
import { PromptQueue } from './prompt-queue.js';
import {
  type Decider,
  type PermissionExplanation,
  PermissionRules,
  type RuleChanges,
  type RuleOptions,
} from './rules/permission-rules.js';
import type { RuleNames } from './rules/rule-names.js';
import { shown } from './rules/shown.js';
import { suggestRules } from './rules/suggest-rules.js';
import { targetsOf } from './rules/targets.js';

/** What a person may answer: yes for this call, yes for all like it, no, or a decision in full. */
export type AskAnswer = 'allow-once' | 'allow-always' | 'deny' | PermissionDecision;

/** A host's own judgement of a command. */
export type CheckCommand = Answering<
  [command: string, assessment: CommandAssessment, scope: CallScope],
  'allow' | 'ask' | 'deny'
>;

/** How calls are decided. Everything is optional; without anything only what looks and never acts runs. */
export interface PermissionsOptions extends RuleOptions {
  /**
   * Asks a person, one question at a time. It has `limits.approval.timeoutMs` from the moment it is called, and the
   * scope's signal aborts when that is over. Without it, what would be asked is denied.
   */
  readonly onAsk?: Answering<[request: PermissionRequest, scope: CallScope], AskAnswer> | undefined;
  /**
   * Judges each command that no rule denies, with what the safety policy knows of it, before allow rules are looked at:
   * `deny` decides, `ask` asks a person, whose "always" is remembered, and `allow` decides where no ask rule, deny rule
   * that may be meant, or the tool itself asks. Of several commands the strictest answer counts. What it throws, and
   * any other answer, denies.
   */
  readonly checkCommand?: CheckCommand | undefined;
}

/** Permissions by modes and rules; rules and mode may change while calls run. */
export interface RulePermissions extends Permissions {
  readonly mode: PermissionMode;
  setMode(mode: PermissionMode): void;
  addRules(rules: RuleChanges): void;
  removeRules(rules: RuleChanges): void;
  /**
   * Widens the workspace of the toolkit by absolute folders, from its next turn on; one that does not exist then is
   * left out. Throws a TypeError for what is no list of absolute paths.
   */
  addDirectories(paths: readonly string[]): void;
  /** The folders added since the last call; the toolkit asks. */
  takeDirectories(): readonly string[];
  /**
   * What would happen to a call and why, without asking anybody. Of a Bash command it says what the safety policy
   * refuses or wants asked; what other tools demand themselves it knows from `request.mustAsk` only.
   */
  explain(request: PermissionRequest, caller?: Caller): PermissionExplanation;
  hidesPath(path: string, root: string, from?: 'everything' | 'searches'): boolean;
  /** Forgets what was allowed "always" in a session. */
  endSession(sessionId: string): void;
  /**
   * Throws a TypeError for a rule that names no tool but nearly does, such as `Raed(src/a)`, now and in `addRules` from
   * now on. A toolkit asks for it when it is made.
   */
  checkNames?(tools: RuleNames): void;
}

const kinds: OptionKinds<PermissionsOptions> = {
  mode: kindOf.anything,
  allow: kindOf.list,
  ask: kindOf.list,
  deny: kindOf.list,
  onAsk: kindOf.callback,
  checkCommand: kindOf.callback,
  root: kindOf.absolutePath,
  autoAllow: oneOf(true, false, 'low-risk'),
};

/**
 * Permissions in the order deny > ask > allow > auto-allowed > mode. A rule is a tool name, or a name with a pattern:
 * `Bash(npm run *)`, `Edit(src/**)`, `WebFetch(domain:example.com)`, `mcp__github__*`, `Agent(type)`. Throws a
 * TypeError for an unknown option or mode, an option of the wrong kind, and a rule that is none.
 */
export function createPermissions(options: PermissionsOptions = {}): RulePermissions {
  assertOptions('createPermissions', options, kinds);
  const rules = new PermissionRules(options);
  let directories: readonly string[] = [];
  const prompts = new PromptQueue();
  // While these were not known yet, the tool itself could not tell that plan mode is on.
  const demanded = (request: PermissionRequest): PermissionRequest =>
    rules.mode === 'plan' && request.mustAsk === undefined && request.tool === 'ExitPlanMode'
      ? { ...request, mustAsk: 'A plan is carried out when somebody has approved it.' }
      : request;
  const decide = (given: PermissionRequest, caller: Caller): PermissionDecision | undefined => {
    given.introduce?.(permissions);
    const request = demanded(given);
    const decision = rules.decide(request, caller.sessionId);
    // Only check can have the call queued, and what a rule denies is not.
    if (rules.isPlanned(request) && decision.source === 'mode') return undefined;
    if (decision.behavior !== 'deny' && needsCheck(request, decision, options)) return undefined;
    if (decision.behavior !== 'ask') return settled(decision);
    // The person who was asked wrote this input; only a deny rule is above them.
    return isWrittenByPerson(request) ? { behavior: 'allow' } : undefined;
  };
  const permissions: RulePermissions = {
    get mode() {
      return rules.mode;
    },
    setMode: (mode) => rules.setMode(mode),
    addRules: (changes) => rules.add(changes),
    removeRules: (changes) => rules.remove(changes),
    addDirectories: (paths) => {
      assertAbsolute(paths);
      directories = [...directories, ...paths];
      rules.addDirectories(paths);
    },
    takeDirectories: () => {
      const taken = directories;
      directories = [];
      return taken;
    },
    explain: (given, caller) => {
      const request = demanded(given);
      const { refusal, mustAsk } = explainSafety(request);
      return (
        refusal ??
        rules.decide(
          mustAsk === undefined ? request : { ...request, mustAsk: request.mustAsk ?? mustAsk },
          caller?.sessionId,
        )
      );
    },
    endSession: (sessionId) => rules.endSession(sessionId),
    hidesPath: (path, root, from = 'everything') => rules.hidesPath(path, root, from),
    checkNames: (tools) => rules.checkNames(tools),
    decide,
    check: async (given, scope) => {
      const decided = decide(given, scope.caller);
      const request = demanded(given);
      if (decided !== undefined) return decided;
      const decision = rules.decide(request, scope.caller.sessionId);
      if (rules.isPlanned(request)) request.postpone?.();
      if (decision.behavior === 'deny') return settled(decision);
      return (
        (await checkCommands(request, scope, decision, options.checkCommand)) ??
        (await queue(request, scope, prompts, () => ask(request, scope, rules, options)))
      );
    },
  };
  // A copy of these would keep the mode of that moment for good.
  return Object.defineProperty(permissions, 'mode', { enumerable: false });
}

/**
 * Whether somebody who was asked put this input in place of another; what stands in front of these permissions may
 * rewrite it too, and asks nobody.
 */
function isWrittenByPerson({ rewrittenBy, wasAsked }: PermissionRequest): boolean {
  return rewrittenBy === 'permission' && wasAsked === true;
}

/**
 * Whether the host wants to judge the command first: not what a person has allowed for always, nor what they wrote
 * themselves.
 */
function needsCheck(
  request: PermissionRequest,
  decision: PermissionExplanation,
  { checkCommand }: PermissionsOptions,
): boolean {
  if (checkCommand === undefined || isWrittenByPerson(request) || decision.isRemembered === true) return false;
  return targetsOf(request, '/').some(({ kind }) => kind === 'command');
}

/** The host's judgement of the commands of a call; undefined where a person is to be asked. */
async function checkCommands(
  request: PermissionRequest,
  scope: CallScope,
  { behavior, source }: PermissionExplanation,
  check: CheckCommand | undefined,
): Promise<PermissionDecision | undefined> {
  const verdicts: unknown[] = [];
  for (const target of targetsOf(request, '/')) {
    if (check === undefined || target.kind !== 'command') continue;
    verdicts.push(await check(target.command, assessCommand(target.command, target.paths), scope));
  }
  if (!verdicts.every((verdict) => verdict === 'allow' || verdict === 'ask'))
    return { behavior: 'deny', message: `The host does not allow this command. Do something else or ask the user.` };
  // What a rule or the tool itself wants asked is above the host's judgement.
  const mayAllow = behavior === 'allow' || source === 'mode';
  const isAsked = verdicts.includes('ask') && request.isApproved !== true;
  return mayAllow && verdicts.length > 0 && !isAsked ? { behavior: 'allow' } : undefined;
}

/** Waits for earlier questions to be answered; the time that a person has does not run meanwhile. */
function queue<Answer>(
  request: PermissionRequest,
  scope: CallScope,
  prompts: PromptQueue,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  request.queued?.();
  return prompts.add(scope, ask);
}

/** Asks, unless an answer of "always" that came in while this call waited has decided it. */
async function ask(
  request: PermissionRequest,
  scope: CallScope,
  rules: Decider,
  options: PermissionsOptions,
): Promise<PermissionDecision> {
  const decision = rules.decide(request, scope.caller.sessionId);
  if (decision.behavior === 'deny' || (decision.behavior === 'allow' && !needsCheck(request, decision, options)))
    return settled(decision);
  const { onAsk } = options;
  const suggestions = suggestRules(request);
  const reason = shown(decision.reason, request);
  if (onAsk === undefined)
    return { behavior: 'deny', message: nobodyToAsk(request, { ...decision, reason }, suggestions) };
  request.announce?.(reason);
  scope.signal.throwIfAborted();
  const answer = await onAsk({ ...request, reason, suggestions }, scope);
  // An answer that comes too late decides nothing, now or later.
  if (answer === 'allow-always' && !scope.signal.aborted) rules.remember(suggestions, scope.caller.sessionId);
  if (answer === 'allow-once' || answer === 'allow-always') return { behavior: 'allow' };
  if (answer === 'deny')
    return {
      behavior: 'deny',
      message: `The user refused ${request.tool}. Do not repeat this call; do something else or ask what they want.`,
    };
  if (typeof answer === 'object' && answer !== null) return answer;
  throw new TypeError(
    `onAsk answered ${String(answer)}: it answers 'allow-once', 'allow-always', 'deny', or { behavior: 'deny', message }`,
  );
}

function assertAbsolute(paths: unknown): void {
  const areAbsolute = Array.isArray(paths) && paths.every((path) => typeof path === 'string' && isAbsolute(path));
  if (!areAbsolute) throw new TypeError(`addDirectories takes a list of absolute paths, not ${JSON.stringify(paths)}`);
}

function settled(decision: PermissionExplanation): PermissionDecision {
  if (decision.behavior === 'allow') return { behavior: 'allow' };
  return {
    behavior: 'deny',
    message: `${decision.reason} Do not try another way around it; do something else or ask the user.`,
  };
}

function nobodyToAsk(
  { tool }: PermissionRequest,
  { reason, source }: PermissionExplanation,
  suggestions: readonly string[],
): string {
  const rule = suggestions[0] ?? tool;
  // No allow rule is above an ask rule or what the tool itself demands.
  const help =
    source === 'mode'
      ? `can allow it: permissions: createPermissions({ allow: [${JSON.stringify(rule)}] }), or pass onAsk.`
      : 'can ask somebody: permissions: createPermissions({ onAsk }).';
  return `${tool} needs permission and there is nobody to ask (${reason.replace(/\.$/, '')}). The program that runs this agent ${help}`;
}
