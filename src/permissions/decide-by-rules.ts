import { resolve } from 'node:path';
import type { Target } from '../core/assessment.js';
import { didYouMean } from '../core/support/near-names.js';
import { hashBytes } from '../core/text/content-hash.js';
import { isInside } from '../core/text/path-names.js';
import { builtinTool, isMcpName, traitsOf } from '../core/tool-names.js';
import type { PermissionMode, PermissionRequest } from '../ports/permissions.js';
import { readCommand } from '../shell/parse/read-command.js';
import { assertNames, type RuleNames } from './misspelt-names.js';
import { checkChanges, checkMode, parseRule, type RuleChanges, type RuleOptions, targetsOf } from './rule.js';
import { type RuleKind, RuleList } from './rule-list.js';

/** The decision of rules and mode about a call, and the source of the decision. */
export interface PermissionExplanation {
  readonly behavior: 'allow' | 'ask' | 'deny';
  readonly source: 'safety' | 'deny' | 'ask' | 'allow' | 'auto' | 'mode';
  /** True if a person allowed the call for the whole session. */
  readonly isRemembered?: true;
  /** The rule, if one decided. */
  readonly rule?: string;
  /** A sentence for people. */
  readonly reason: string;
}

/** Decides about a call by rules, mode and request alone. */
export class PermissionRules {
  readonly #deny: RuleList;
  readonly #ask: RuleList;
  readonly #allow: RuleList;
  /** The allow rules that a person added by answering "allow-always", by session. */
  readonly #remembered = new Map<string, RuleList>();
  readonly #root: string;
  /** Folders that mode `acceptEdits` treats like the root. */
  readonly #directories = new Set<string>();
  readonly #autoAllow: boolean | 'low-risk';
  #mode: PermissionMode;
  #version: string | undefined;
  /** The tool names of each toolkit that uses these rules. Weak, since permissions may outlive many toolkits. */
  #toolkits: readonly WeakRef<RuleNames>[] = [];

  constructor({ mode = 'default', allow, ask, deny, root = process.cwd(), autoAllow = true }: RuleOptions) {
    this.#mode = checkMode(mode);
    this.#deny = new RuleList('deny', deny);
    this.#ask = new RuleList('ask', ask);
    this.#allow = new RuleList('allow', allow, autoAllow === 'low-risk');
    this.#root = root;
    this.#autoAllow = autoAllow;
  }

  get mode(): PermissionMode {
    return this.#mode;
  }

  /**
   * A hash of the mode, `autoAllow`, the added folders and the rules, without the rules that persons allowed for a
   * session.
   */
  get version(): string {
    // Each call reads the version several times, so it is computed again only after a change.
    this.#version ??= this.#hash();
    return this.#version;
  }

  #hash(): string {
    const lists = [this.#deny, this.#ask, this.#allow].map((list) => list.texts().sort());
    const parts = [this.#mode, this.#autoAllow, [...this.#directories].sort(), lists];
    return hashBytes([Buffer.from(JSON.stringify(parts))]);
  }

  setMode(mode: PermissionMode): void {
    this.#mode = checkMode(mode);
    this.#version = undefined;
  }

  add(changes: RuleChanges): void {
    const { allow = [], ask = [], deny = [] } = checkChanges('addRules', changes);
    // All rules are parsed first, so that an invalid rule leaves the lists unchanged.
    const names = [...allow, ...ask, ...deny].map((rule) => parseRule(rule).tool);
    if (this.#toolkits.length > 0) this.checkNames([], names);
    this.#allow.add(allow);
    this.#ask.add(ask);
    this.#deny.add(deny);
    this.#version = undefined;
  }

  remove(changes: RuleChanges): void {
    const { allow = [], ask = [], deny = [] } = checkChanges('removeRules', changes);
    removeRules('allow', allow, [this.#allow, ...this.#remembered.values()]);
    removeRules('ask', ask, [this.#ask]);
    removeRules('deny', deny, [this.#deny]);
    this.#version = undefined;
  }

  /**
   * Throws a TypeError for a rule whose name is certainly a misspelling of a known name; rules added later are checked
   * too. A name is known if any toolkit that uses these rules knows it.
   */
  checkNames(
    tools: readonly RuleNames[],
    names = [this.#deny, this.#ask, this.#allow].flatMap((list) => list.names()),
  ): void {
    const known = [...new Set([...this.tools(), ...tools])];
    assertNames('A permission rule', names, known, 'register it first and add the rule with addRules');
    this.#toolkits = known.map((one) => new WeakRef(one));
  }

  /** The tool names of the toolkits that use these rules. */
  tools(): readonly RuleNames[] {
    return this.#toolkits.flatMap((one) => one.deref() ?? []);
  }

  /** The deny and ask rules, as they were written. */
  restrictions(): RuleChanges {
    return { deny: this.#deny.texts(), ask: this.#ask.texts() };
  }

  addDirectories(paths: readonly string[]): void {
    for (const path of paths) this.#directories.add(path);
    this.#version = undefined;
  }

  remember(rules: readonly string[], sessionId: string): void {
    const list = this.#remembered.get(sessionId) ?? new RuleList('allow', [], this.#autoAllow === 'low-risk');
    list.add(rules);
    this.#remembered.set(sessionId, list);
  }

  endSession(sessionId: string): void {
    this.#remembered.delete(sessionId);
  }

  /**
   * Whether a file is hidden. Deny rules hide it from everything. Ask rules hide it from searches, because a search
   * cannot ask about single files.
   */
  hidesPath(path: string, root: string, from: 'everything' | 'searches'): boolean {
    return this.#deny.matchesContent(path, root) || (from === 'searches' && this.#ask.matchesContent(path, root));
  }

  /** True for a call with effects in plan mode: it is queued and does not run. */
  isPlanned({ sideEffect, isApproved, isPlanned = this.#mode === 'plan' }: PermissionRequest): boolean {
    return isPlanned && sideEffect !== 'none' && sideEffect !== 'readonly' && isApproved !== true;
  }

  decide(request: PermissionRequest, sessionId?: string): PermissionExplanation {
    const targets = targetsOf(request, this.#root);
    const refused = this.#byRefusal(request, targets);
    if (this.isPlanned(request) && refused?.behavior !== 'deny')
      return says(
        'deny',
        'mode',
        'Plan mode is on, and this call has side effects; it can run after the plan is approved.',
      );
    return (
      refused ??
      this.#byConsent(request, targets, sessionId) ??
      (this.#mode === 'dontAsk'
        ? says('deny', 'mode', deniedByMode(request))
        : says('ask', 'mode', uncovered(request) + whyUncovered(targets)))
    );
  }

  /**
   * The decision of the deny rules, of the ask rules or of the tool's own demand to ask. No allow rule overrides this
   * decision.
   */
  #byRefusal(request: PermissionRequest, targets: readonly Target[]): PermissionExplanation | undefined {
    const asks = (source: 'deny' | 'ask' | 'safety', reason: string, rule?: string) =>
      this.#mode === 'dontAsk'
        ? says('deny', source, `${reason} ${deniedByMode(request)}`, rule)
        : says('ask', source, reason, rule);
    const { rule, isCertain } = this.#deny.match(request, targets, this.#root) ?? {};
    if (isCertain === true) return says('deny', 'deny', `The rule ${rule} denies this call.`, rule);
    if (rule !== undefined) {
      const reason = `The rule ${rule} may match this call; whether it does is known only when the call runs.`;
      return asks('deny', reason, rule);
    }
    const asked = this.#ask.match(request, targets, this.#root)?.rule;
    if (asked !== undefined) return asks('ask', `The rule ${asked} asks before this call.`, asked);
    const mustAsk = this.whyAsked(request);
    // A person approves a plan in every mode.
    const isAsked =
      mustAsk !== undefined && (this.#mode !== 'bypassPermissions' || traitsOf(request).endsPlan === true);
    return isAsked ? asks('safety', mustAsk) : undefined;
  }

  /**
   * The reason why the tool itself demands a question. The tool that ends a plan does not know the mode, so its demand
   * in plan mode is added here.
   */
  whyAsked(request: PermissionRequest): string | undefined {
    const endsPlan = this.#mode === 'plan' && traitsOf(request).endsPlan === true;
    return request.mustAsk ?? (endsPlan ? 'A person has to approve a plan before it is carried out.' : undefined);
  }

  /**
   * The decision to allow, if one of these allows the call: an allow rule of the config or of the session, `autoAllow`,
   * the mode, an approved plan.
   */
  #byConsent(
    request: PermissionRequest,
    targets: readonly Target[],
    sessionId: string | undefined,
  ): PermissionExplanation | undefined {
    const remembered = sessionId === undefined ? undefined : this.#remembered.get(sessionId);
    const always = remembered?.match(request, targets, this.#root)?.rule;
    if (always !== undefined)
      return {
        ...says('allow', 'allow', `${always} was allowed for the whole session.`, always),
        isRemembered: true,
      };
    const allowed = this.#allow.match(request, targets, this.#root)?.rule;
    if (allowed !== undefined) return says('allow', 'allow', `The rule ${allowed} allows this call.`, allowed);
    if (this.#isAuto(request, targets)) return says('allow', 'auto', `${request.tool} runs without asking.`);
    if (this.#mode === 'bypassPermissions')
      return says('allow', 'mode', 'Mode bypassPermissions allows every call that no rule denies.');
    // A tool with the name of an editing tool but stronger effects is not treated as an editing tool.
    const isEdit = traitsOf(request).edits === true && request.sideEffect === 'mutating' && targets.length > 0;
    if (this.#mode === 'acceptEdits' && isEdit && targets.every((target) => this.#isInside(target, 'edit')))
      return says('allow', 'mode', 'Mode acceptEdits allows changes of files inside the workspace.');
    if (request.isApproved === true && this.#mode !== 'dontAsk')
      return says('allow', 'mode', 'This call is part of a plan that was approved.');
    return undefined;
  }

  /**
   * Whether a file is inside the workspace. `isInside` of the target decides; if it is not set, the file must be below
   * the root or an added folder.
   */
  #isInside(target: Target, kind: 'read' | 'edit'): boolean {
    if ((target.kind !== 'read' && target.kind !== 'edit') || target.kind !== kind) return false;
    if (target.isInside !== undefined) return target.isInside;
    const folders = [this.#root, ...this.#directories].map((folder) => resolve(folder));
    return isInside(resolve(this.#root, target.path), folders);
  }

  #isAuto(request: PermissionRequest, targets: readonly Target[]): boolean {
    const { tool, mcp, autoAllowed = builtinTool(tool)?.isAutoAllowed, risk, sideEffect } = request;
    if (this.#autoAllow === false) return false;
    // Declarations of an MCP server about its own tools are not trusted.
    const isTrusted = mcp === undefined && !isMcpName(tool);
    if (autoAllowed === true || (risk === 'none' && isTrusted)) return true;
    if (risk !== 'low') return false;
    if (this.#autoAllow === 'low-risk') return true;
    // acceptEdits allows edits without asking, so it also allows low-risk reads inside the workspace.
    const isReading = sideEffect === 'readonly' && targets.every((target) => this.#isInside(target, 'read'));
    return this.#mode === 'acceptEdits' && isTrusted && isReading;
  }
}

/**
 * Removes rules. Warns about a rule that is in none of the lists, because the rule may have been added in another
 * spelling and still apply.
 */
function removeRules(kind: RuleKind, rules: readonly string[], lists: readonly RuleList[]): void {
  for (const rule of rules) {
    const wasThere = lists.map((list) => list.remove(rule)).includes(true);
    if (wasThere) continue;
    const near = didYouMean(rule, new Set(lists.flatMap((list) => list.texts())));
    const code = 'TOOLWRIGHT_RULE';
    process.emitWarning(`removeRules: there is no ${kind} rule ${JSON.stringify(rule)}.${near}`, { code });
  }
}

function says(
  behavior: PermissionExplanation['behavior'],
  source: PermissionExplanation['source'],
  reason: string,
  rule?: string,
): PermissionExplanation {
  return { behavior, source, reason, ...(rule === undefined ? {} : { rule }) };
}

function deniedByMode({ tool }: PermissionRequest): string {
  return `Mode dontAsk denies this call of ${tool}, because a person would have to approve it.`;
}

/** The reason for asking about a call that no rule covers. */
export function uncovered({ tool, risk }: Pick<PermissionRequest, 'tool' | 'risk'>): string {
  return `No rule covers this call of ${tool} (risk ${risk}).`;
}

/**
 * Explains why no rule matches a command with a word whose value is known only when the command runs, such as `$VAR`.
 * Empty if the command has no such word.
 */
function whyUncovered(targets: readonly Target[]): string {
  const lines = targets.flatMap((target) => (target.kind === 'command' ? [target.command] : []));
  const words = lines.flatMap((line) => readCommand(line).commands.flatMap(({ argv }) => argv));
  // The script of a program such as sed is also parsed as a command, so a `$` in the script looks like a variable. A
  // script that is a literal word of the command line is known, so it is skipped.
  const literal = new Set(words.flatMap(({ kind, text }) => (kind === 'literal' ? [text] : [])));
  const isExpanded = (text: string) => /[$`{]|[<>]\(/.test(text) && !literal.has(text);
  const word = words
    .find(({ kind, text }) => kind !== 'literal' && kind !== 'glob' && isExpanded(text))
    ?.text.slice(0, 80);
  return word === undefined
    ? ''
    : ` The value of ${word} is known only when the command runs, so no allow rule with fixed words can cover the command.`;
}
