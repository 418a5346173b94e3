import { isAbsolute } from 'node:path';
import { ruleNames } from '../core/builtin-tool-facts.js';
import type { Caller, CallScope } from '../core/context.js';
import type { Decision, PermissionDecision } from '../core/permission-question.js';
import type { Answering } from '../core/support/callback-type.js';
import { assertOptions, kindOf, type OptionKinds, oneOf } from '../core/support/check-values.js';
import { builtinName } from '../core/tool-names.js';
import { allowed, denial, readDecision } from '../ports/parse-decision.js';
import type { PermissionMode, PermissionRequest, Permissions } from '../ports/permissions.js';
import { assessmentOf, type CommandAssessment } from '../shell/assess/judge-command.js';
import { type PermissionExplanation, PermissionRules } from './decide-by-rules.js';
import type { RuleNames } from './misspelt-names.js';
import { askInTurn, hearAnswer, nobodyToAsk } from './prompt-queue.js';
import { type RuleChanges, type RuleOptions, targetsOf } from './rule.js';
import { shown, suggestRules } from './suggest-rules.js';

/** A function of the host that judges a command. */
export type CheckCommand = Answering<
  [command: string, assessment: CommandAssessment, scope: CallScope],
  'allow' | 'ask' | 'deny' | PermissionDecision
>;

/**
 * Options for deciding about calls. All are optional; by default only calls of auto-allowed tools and calls of risk
 * none run without asking.
 */
export interface PermissionsOptions extends RuleOptions {
  /**
   * Asks a person. Only one question of a session is open at a time; different sessions ask in parallel, so `onAsk`
   * needs a queue if one terminal serves several sessions. The answer must arrive within `limits.approval.timeoutMs`;
   * after that time `scope.signal` aborts. Default: questions are denied.
   */
  readonly onAsk?: Permissions['onAsk'];
  /**
   * Called with each command and its safety assessment, before allow rules apply. Not called if a rule or the mode
   * denies the call, or if a person has already allowed it. `deny` denies the call. `ask` asks a person; after the
   * answer "allow-always", the suggested rules apply for the session. `allow` allows the call, unless a person must be
   * asked: because of an ask rule, because it is uncertain whether a deny rule matches, or because the tool itself
   * demands a question. If a call has several commands, the strictest answer counts. An error and any other answer deny
   * the call. Default: the rules decide.
   */
  readonly checkCommand?: CheckCommand | undefined;
  /**
   * Called before a person is asked about a call that no rule matches; a host can let a model classify the call here.
   * `classify` is never called for a question that a rule or the tool itself demands. Return `allow` or `deny` to
   * decide the call. After `ask`, an error or an invalid answer, a person is asked. Default: a person is asked.
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
   * Adds folders to the workspace, by absolute path. They take effect at the start of the next turn; a folder that does
   * not exist at that time is ignored. Throws a TypeError if the value is not a list of absolute paths.
   */
  addDirectories(paths: readonly string[]): void;
  /**
   * Returns the folders that were added since the last call with the same `taker`. Each toolkit passes an object of its
   * own, so that all toolkits that share the permissions get every folder.
   */
  takeDirectories(taker?: object): readonly string[];
  /**
   * The decision about a call and its reason, without asking a person. For a Bash command, the safety policy is applied
   * too. For a tool other than Bash, only `request.mustAsk` tells whether the tool demands a question.
   */
  explain(request: PermissionRequest, caller?: Caller): PermissionExplanation;
  hidesPath(path: string, root: string, from?: 'everything' | 'searches'): boolean;
  /** Forgets the rules that a person allowed for the session by answering "allow-always". */
  endSession(sessionId: string): void;
  remember(rules: readonly string[], sessionId: string): void;
  readonly version: string;
  /**
   * Throws a TypeError for a rule whose name is a misspelling of a known tool, such as `Raed(src/a)`. From then on,
   * `addRules` checks names too. A toolkit calls this method at its creation.
   */
  checkNames?(tools: RuleNames): void;
  /** The deny and ask rules, so that a toolkit can warn about rules that match no tool. */
  restrictions?(): RuleChanges;
  /** The tool names of the toolkits that use these permissions. */
  tools?(): readonly RuleNames[];
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
 * TypeError for an unknown option or mode, an option of the wrong kind, and an invalid rule.
 */
export function createPermissions(options: PermissionsOptions = {}): RulePermissions {
  assertOptions('createPermissions', options, kinds);
  const rules = new PermissionRules(options);
  const { onAsk, classify } = options;
  const directories: string[] = [];
  const taken = new WeakMap<object, number>();
  /**
   * The decision that follows from the rules. If a person edited the input while answering a question, the edited call
   * is allowed without a second question.
   */
  const settle = (request: PermissionRequest, decision: PermissionExplanation): Decision => {
    if (decision.behavior === 'deny')
      return denial(`${decision.reason} Do not try to bypass this decision; do something else or ask the user.`);
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
      directories.push(...paths);
      rules.addDirectories(paths);
    },
    takeDirectories: (taker = rules) => {
      const start = taken.get(taker) ?? 0;
      taken.set(taker, directories.length);
      return directories.slice(start);
    },
    explain: (request, caller) => {
      const safety = safetyOf(request);
      if (safety?.behavior === 'deny') return safety;
      return rules.decide({ ...request, mustAsk: request.mustAsk ?? safety?.reason }, caller?.sessionId);
    },
    endSession: (sessionId) => rules.endSession(sessionId),
    hidesPath: (path, root, from = 'everything') => rules.hidesPath(path, root, from),
    checkNames: (tools) => rules.checkNames([tools]),
    restrictions: () => rules.restrictions(),
    tools: () => rules.tools(),
    remember: (texts, sessionId) => rules.remember(texts, sessionId),
    onAsk,
    classify: classify && ((question, scope) => (question.source === 'mode' ? classify(question, scope) : 'ask')),
    decide: (request, caller) => {
      const isPlanned = rules.isPlanned(request);
      // `checkCommand` is asynchronous, so `check` decides.
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
      // If the caller cannot ask, `check` asks the person itself and returns the answer as the decision.
      const { reason = '', source = 'ask' } = settled.question;
      const asked = { ...request, reason: shown(reason), suggestions: suggestRules(request) };
      const answer =
        onAsk === undefined
          ? denial(nobodyToAsk({ ...asked, source }))
          : await askInTurn(permissions, scope, async () => await onAsk(asked, scope));
      return await hearAnswer(permissions, asked, answer, scope.caller.sessionId);
    },
  };
  // Not enumerable, because a copy by spread would keep the present mode and version.
  Object.defineProperty(permissions, 'version', { enumerable: false });
  return Object.defineProperty(permissions, 'mode', { enumerable: false });
}

/**
 * The decision to ask. If `checkCommand` asks about a call that a rule allows, the question counts as the question of
 * an ask rule.
 */
function questioned({ reason, source }: PermissionExplanation): Decision {
  return { behavior: 'ask', question: { reason, source: source === 'allow' || source === 'auto' ? 'ask' : source } };
}

/**
 * Whether a person rewrote the input in answer to a question. `wasAsked` is needed because a wrapper also sets
 * `rewrittenBy: 'permission'`, without asking anybody.
 */
function isWrittenByPerson({ rewrittenBy, wasAsked }: PermissionRequest): boolean {
  return rewrittenBy === 'permission' && wasAsked === true;
}

function commandsOf(request: PermissionRequest) {
  return targetsOf(request, '/').filter((target) => target.kind === 'command');
}

/**
 * The decision of `checkCommand` about the commands of a call. `checkCommand` cannot allow a call about which a rule or
 * the tool itself asks.
 */
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
  // A question that `checkCommand` demands counts as the question of an ask rule: a person answers it, never
  // `classify`.
  if (said.some((one) => one?.behavior === 'ask') && request.isApproved !== true)
    return decision.source === 'mode' ? questioned({ ...decision, source: 'ask' }) : question;
  return decision.behavior === 'allow' || decision.source === 'mode' ? allowed : question;
}

function assertAbsolute(paths: unknown): void {
  const areAbsolute = Array.isArray(paths) && paths.every((path) => typeof path === 'string' && isAbsolute(path));
  if (!areAbsolute) throw new TypeError(`addDirectories takes a list of absolute paths, not ${JSON.stringify(paths)}`);
}

/**
 * The decision of the safety policy about a Bash command, for `explain`. In requests of the pipeline, `mustAsk` already
 * contains this decision; in requests of other programs it does not.
 */
function safetyOf(request: PermissionRequest): PermissionExplanation | undefined {
  if (builtinName(request.tool) !== ruleNames.command) return undefined;
  const assessments = commandsOf(request).map(assessmentOf);
  const denied = assessments.find(({ verdict }) => verdict === 'deny');
  if (denied !== undefined) {
    const why = denied.reasons[0]?.text ?? 'it deletes data that cannot be restored';
    return { behavior: 'deny', source: 'safety', reason: `The safety policy blocks this command: ${why}.` };
  }
  const persistence = assessments.flatMap(({ reasons }) => reasons).find(({ category }) => category === 'persistence');
  return persistence && { behavior: 'ask', source: 'safety', reason: persistence.text };
}

/** Whether permissions were made by `createPermissions`, or wrap such permissions. */
export function hasRules(permissions: Permissions): permissions is RulePermissions {
  return 'takeDirectories' in permissions;
}
