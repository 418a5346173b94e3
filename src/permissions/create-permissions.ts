import { isAbsolute } from 'node:path';
import { ruleNames } from '../core/builtin-tools.js';
import type { Caller, CallScope } from '../core/context.js';
import type { Decision, PermissionDecision } from '../core/permission-question.js';
import type { Answering } from '../core/support/answering.js';
import { assertOptions, kindOf, type OptionKinds, oneOf } from '../core/support/option-kinds.js';
import { builtinName } from '../core/tool-names.js';
import type { PermissionMode, PermissionRequest, Permissions } from '../ports/permissions.js';
import { allowed, denial, readDecision } from '../ports/read-decision.js';
import { assessmentOf, type CommandAssessment } from '../shell/assess/assess-command.js';
import { askInTurn, hearAnswer, nobodyToAsk } from './prompt-queue.js';
import type { RuleNames } from './rules/misspelt-names.js';
import { type PermissionExplanation, PermissionRules } from './rules/permission-rules.js';
import { targetsOf } from './rules/rule.js';
import type { RuleChanges, RuleOptions } from './rules/rule-options.js';
import { shown, suggestRules } from './rules/suggest-rules.js';

/** A host's own judgement of a command. */
export type CheckCommand = Answering<
  [command: string, assessment: CommandAssessment, scope: CallScope],
  'allow' | 'ask' | 'deny' | PermissionDecision
>;

/** How calls are decided. Everything is optional; without anything only what looks and never acts runs. */
export interface PermissionsOptions extends RuleOptions {
  /**
   * Asks a person. One question of a session is open at a time; sessions do not wait for each other, so a terminal that
   * serves several needs a queue of its own. It has `limits.approval.timeoutMs` from the moment it is called, and the
   * scope's signal aborts when that is over. Default: what would be asked is denied.
   */
  readonly onAsk?: Permissions['onAsk'];
  /**
   * Judges each command that no rule denies, with what the safety policy knows of it, before allow rules are looked at:
   * `deny` decides, `ask` asks a person, whose "always" is remembered, and `allow` decides where no ask rule, deny rule
   * that may be meant, or the tool itself asks. Of several commands the strictest answer counts. What it throws, and
   * any other answer, denies. Default: the rules decide.
   */
  readonly checkCommand?: CheckCommand | undefined;
  /**
   * Judges what nothing allows and nothing forbids before a person is asked, for hosts that let a model judge; what a
   * rule or the tool itself wants asked never comes here. What it throws, and any other answer, leaves it to a person.
   * Default: a person is asked.
   */
  readonly classify?: Permissions['classify'];
}

/** Permissions by modes and rules; rules and mode may change while calls run. */
export interface RulePermissions extends Permissions {
  check(request: PermissionRequest, scope: CallScope): Promise<Decision>;
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
  remember(rules: readonly string[], sessionId: string): void;
  readonly version: string;
  /**
   * Throws a TypeError for a rule that names no tool but nearly does, such as `Raed(src/a)`, now and in `addRules` from
   * now on. A toolkit asks for it when it is made.
   */
  checkNames?(tools: RuleNames): void;
  /** The deny and ask rules, for a toolkit that warns of those that bind nothing. */
  restrictions?(): RuleChanges;
}

const kinds: OptionKinds<PermissionsOptions> = {
  mode: kindOf.anything,
  allow: kindOf.list,
  ask: kindOf.list,
  deny: kindOf.list,
  onAsk: kindOf.callback,
  checkCommand: kindOf.callback,
  classify: kindOf.callback,
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
  const { onAsk, classify } = options;
  let directories: readonly string[] = [];
  /** What follows from the rules; where a person has to be asked, who wrote the input themselves, that is a yes. */
  const settle = (request: PermissionRequest, decision: PermissionExplanation): Decision => {
    if (decision.behavior === 'deny')
      return denial(`${decision.reason} Do not try another way around it; do something else or ask the user.`);
    return decision.behavior === 'allow' || isWrittenByPerson(request) ? allowed : questioned(decision);
  };
  const permissions: RulePermissions = {
    get mode() {
      return rules.mode;
    },
    get version() {
      return rules.version;
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
    explain: (request, caller) => {
      const safety = safetyOf(request);
      if (safety?.behavior === 'deny') return safety;
      return rules.decide({ ...request, mustAsk: request.mustAsk ?? safety?.reason }, caller?.sessionId);
    },
    endSession: (sessionId) => rules.endSession(sessionId),
    hidesPath: (path, root, from = 'everything') => rules.hidesPath(path, root, from),
    checkNames: (tools) => rules.checkNames(tools),
    restrictions: () => rules.restrictions(),
    remember: (texts, sessionId) => rules.remember(texts, sessionId),
    onAsk,
    classify: classify && ((question, scope) => (question.source === 'mode' ? classify(question, scope) : 'ask')),
    decide: (request, caller) => {
      const isPlanned = rules.isPlanned(request);
      // The host is asked about each command, which takes its time.
      if (!isPlanned && options.checkCommand !== undefined && commandsOf(request).length > 0) return undefined;
      const decision = rules.decide(request, caller.sessionId);
      if (isPlanned && decision.source === 'mode') return undefined;
      return settle(request, decision);
    },
    check: async (request, scope) => {
      const decision = rules.decide(request, scope.caller.sessionId);
      const isJudged = decision.behavior !== 'deny' && decision.isRemembered !== true && !isWrittenByPerson(request);
      const { checkCommand } = options;
      const settled =
        isJudged && checkCommand !== undefined && commandsOf(request).length > 0
          ? await checkCommands(request, scope, decision, checkCommand)
          : settle(request, decision);
      if (settled.behavior !== 'ask' || request.mayAnswerAsk === true) return settled;
      // Who calls `check` by themselves can put no question.
      const { reason = '', source = 'ask' } = settled.question;
      const asked = { ...request, reason: shown(reason), suggestions: suggestRules(request) };
      const answer =
        onAsk === undefined
          ? denial(nobodyToAsk({ ...asked, source }))
          : await askInTurn(permissions, scope, async () => await onAsk(asked, scope));
      return await hearAnswer(permissions, asked, answer, scope.caller.sessionId);
    },
  };
  // A copy of these would keep the mode and the version of that moment for good.
  Object.defineProperty(permissions, 'version', { enumerable: false });
  return Object.defineProperty(permissions, 'mode', { enumerable: false });
}

/** The question of a judgement. What a rule allows is asked about where the host wants each command asked. */
function questioned({ reason, source }: PermissionExplanation): Decision {
  return { behavior: 'ask', question: { reason, source: source === 'allow' || source === 'auto' ? 'ask' : source } };
}

/**
 * Whether somebody who was asked put this input in place of another; what stands in front of these permissions may
 * rewrite it too, and asks nobody.
 */
function isWrittenByPerson({ rewrittenBy, wasAsked }: PermissionRequest): boolean {
  return rewrittenBy === 'permission' && wasAsked === true;
}

function commandsOf(request: PermissionRequest) {
  return targetsOf(request, '/').filter((target) => target.kind === 'command');
}

/** The host's judgement of the commands of a call, below what a rule or the tool itself wants asked. */
async function checkCommands(
  request: PermissionRequest,
  scope: CallScope,
  decision: PermissionExplanation,
  check: CheckCommand,
): Promise<Decision> {
  const said: (Decision | undefined)[] = [];
  for (const target of commandsOf(request)) {
    said.push(readDecision(await check(target.command, assessmentOf(target), scope), 'word or object'));
  }
  const no = said.find((one) => one?.behavior !== 'allow' && one?.behavior !== 'ask');
  if (no !== undefined || said.includes(undefined))
    return denial(no?.reason || 'The host does not allow this command. Do something else or ask the user.');
  const question = questioned(decision);
  // What the host itself wants asked is for a person, as an ask rule is.
  if (said.some((one) => one?.behavior === 'ask') && request.isApproved !== true)
    return decision.source === 'mode' ? questioned({ ...decision, source: 'ask' }) : question;
  return decision.behavior === 'allow' || decision.source === 'mode' ? allowed : question;
}

function assertAbsolute(paths: unknown): void {
  const areAbsolute = Array.isArray(paths) && paths.every((path) => typeof path === 'string' && isAbsolute(path));
  if (!areAbsolute) throw new TypeError(`addDirectories takes a list of absolute paths, not ${JSON.stringify(paths)}`);
}

/** What the safety policy of the shell says against a call, where nobody has asked the tool itself. */
function safetyOf(request: PermissionRequest): PermissionExplanation | undefined {
  if (builtinName(request.tool) !== ruleNames.command) return undefined;
  const assessments = commandsOf(request).map(assessmentOf);
  const denied = assessments.find(({ verdict }) => verdict === 'deny');
  if (denied !== undefined) {
    const why = denied.reasons[0]?.text ?? 'it destroys what cannot be brought back';
    return { behavior: 'deny', source: 'safety', reason: `The safety policy blocks it: ${why}.` };
  }
  const persistence = assessments.flatMap(({ reasons }) => reasons).find(({ category }) => category === 'persistence');
  return persistence && { behavior: 'ask', source: 'safety', reason: persistence.text };
}

/** Whether permissions are made of rules. */
export function hasRules(permissions: Permissions): permissions is RulePermissions {
  return 'takeDirectories' in permissions;
}
