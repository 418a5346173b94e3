import type { Target } from '../core/assessment.js';
import { ruleNames } from '../core/builtin-tool-facts.js';
import { parseAddress } from '../core/support/urls.js';
import { matchesText } from '../core/text/star-pattern.js';
import { builtinName, builtinsThat, traitsOf } from '../core/tool-names.js';
import type { PermissionRequest } from '../ports/permissions.js';
import { parseCommandRule } from '../shell/assess/command-rule.js';
import { assessmentOf, pathKnowledgeOf } from '../shell/assess/judge-command.js';
import { isCovered, matchRestriction } from '../shell/assess/match-command-rule.js';
import type { RuleMatch } from '../shell/assess/match-rule-words.js';
import { restsOnFiles } from '../shell/assess/named-files.js';
import { readCommand } from '../shell/parse/read-command.js';
import { enteredFolders, matchCommandFiles, type PathRule, placesOf, staysInside } from './match-command-files.js';
import { absoluteGlob, compilePathPattern, type PathMatcher } from './path-pattern.js';
import { calledTool, coversName, parseRule, type Rule, ruleHost } from './rule.js';

/**
 * The kind of a rule list. Allow rules must cover the whole call; ask and deny rules match if they cover any part of
 * it.
 */
export type RuleKind = 'allow' | 'ask' | 'deny';

/** The rule that decides. `isCertain` is false if only running the call shows whether the rule matches. */
export interface RuleHit {
  readonly rule: string;
  readonly isCertain: boolean;
}

/**
 * An ordered list of rules of one kind. Rules are parsed when they are added, so that an invalid rule throws at once.
 */
export class RuleList {
  readonly #kind: RuleKind;
  readonly #readsFreely: boolean;
  readonly #rules = new Map<string, Rule>();
  // Created on first use: every session with remembered rules has a list, and most need no matchers.
  #matchers: Map<string, PathMatcher> | undefined;

  /** With `readsFreely`, allow rules for commands need not cover commands that are known to be read-only. */
  constructor(kind: RuleKind, rules: readonly string[] = [], readsFreely = false) {
    this.#kind = kind;
    this.#readsFreely = readsFreely;
    this.add(rules);
  }

  /** Adds rules. Throws a TypeError for an invalid rule, before any rule is added. */
  add(rules: readonly string[]): void {
    const parsed = rules.map(parseRule);
    for (const rule of parsed) this.#rules.set(rule.text, this.#kind === 'allow' ? rule : widened(rule));
  }

  /** The tool names that the rules begin with. */
  names(): string[] {
    return [...this.#rules.values()].map(({ tool }) => tool);
  }

  /** The rules as they were written. */
  texts(): string[] {
    return [...this.#rules.keys()];
  }

  /** Removes a rule; false if the list does not have it. */
  remove(rule: string): boolean {
    return this.#rules.delete(rule);
  }

  /**
   * The first rule that matches a call; undefined if none does. For an allow list, several rules may cover the commands
   * or targets of a call together.
   */
  match(request: PermissionRequest, targets: readonly Target[], root: string): RuleHit | undefined {
    if (this.#rules.size === 0) return undefined;
    let possible: RuleHit | undefined;
    for (const rule of this.#rules.values()) {
      const match = this.#matches(rule, request, targets, root);
      if (match === 'yes') return { rule: rule.text, isCertain: true };
      if (match === 'possible') possible ??= { rule: rule.text, isCertain: false };
    }
    if (this.#kind !== 'allow') return possible;
    return this.#allowedTogether(request, targets, root);
  }

  /** Whether a rule of this list applies to reading a file, so that searches leave the file out. */
  matchesContent(path: string, root: string): boolean {
    return [...this.#rules.values()].some((rule) => {
      const { pattern } = rule;
      if (pattern === undefined || !namesOneOf(rule, contentTools)) return false;
      // A bare ask rule such as `Read` hides no single file; a person is asked about the whole search instead.
      return pattern === '*' ? this.#kind === 'deny' : this.#pathMatcher(pattern, root)(path);
    });
  }

  #matches(rule: Rule, request: PermissionRequest, targets: readonly Target[], root: string): RuleMatch {
    const { pattern } = rule;
    const isFolded = this.#kind !== 'allow';
    const letterCase = isFolded ? 'folded' : 'exact';
    const isNamed =
      coversName(rule, calledTool(request, letterCase), letterCase) ||
      (isFolded && namesOneOf(rule, traitsOf(request).inPlaceOf ?? []));
    if (pattern === undefined) return isNamed ? 'yes' : 'no';
    if (isNamed && pattern === '*') return 'yes';
    // Without targets it is unknown whether the pattern matches the call.
    if (isFolded && isNamed && targets.length === 0 && rule.tool !== '*') return 'possible';
    const bound = targets.filter(
      (target) =>
        isNamed ||
        (target.kind !== 'own' &&
          (isFolded ? namesOneOf(rule, [ruleNames[target.kind]]) : appliesToKind(rule, target, request))),
    );
    const hits = bound.map((target) => this.#hits(pattern, target, root));
    if (isFolded) {
      hits.push(...targets.map((target) => this.#hitsFiles(rule, pattern, target, root)));
      return hits.includes('yes') ? 'yes' : hits.includes('possible') ? 'possible' : 'no';
    }
    return bound.length > 0 && bound.length === targets.length && hits.every((hit) => hit === 'yes') ? 'yes' : 'no';
  }

  #hits(pattern: string, target: Target, root: string): RuleMatch {
    if (pattern === '*') return 'yes';
    switch (target.kind) {
      case 'read':
      case 'edit':
        return this.#hitsPath(pattern, target, target.root ?? root) ? 'yes' : 'no';
      case 'command':
        if (this.#kind !== 'allow') return matchRestriction(parseCommandRule(pattern), readCommand(target.command));
        return covers([pattern], target, root, this.#readsFreely) ? 'yes' : 'no';
      case 'url':
        return hitsHost(pattern, target.url, this.#kind);
      case 'agent':
        if (this.#kind === 'allow') return pattern === target.type ? 'yes' : 'no';
        return pattern.toLowerCase() === target.type.trim().toLowerCase() ? 'yes' : 'no';
      case 'own':
        if (this.#kind === 'allow') return matchesText(pattern, target.name) ? 'yes' : 'no';
        return matchesText(pattern.toLowerCase(), target.name.toLowerCase()) ? 'yes' : 'no';
    }
  }

  /** Matches Read and Edit rules with the files that a command line reads and changes. */
  #hitsFiles(rule: Rule, pattern: string, target: Target, root: string): RuleMatch {
    if (target.kind !== 'command') return 'no';
    const kinds: PathRule['kinds'] = [
      ...(namesOneOf(rule, contentTools) ? ['read' as const] : []),
      ...(namesOneOf(rule, [ruleNames.edit]) ? ['edit' as const] : []),
    ];
    if (kinds.length === 0) return 'no';
    const places = placesOf(pathKnowledgeOf(target), root);
    const start = places.folders()[0] ?? root;
    const all = pattern === '*' ? '/**' : pattern;
    const path = { kinds, glob: absoluteGlob(all, start, 'folded'), matches: this.#pathMatcher(all, start) };
    return matchCommandFiles(path, readCommand(target.command), places);
  }

  // Deny and ask rules are matched with the path as given and with its real path; allow rules only with the real path.
  // A symlink can therefore neither bypass a deny rule nor get the access of an allow rule.
  #hitsPath(pattern: string, target: Target & { kind: 'read' | 'edit' }, root: string): boolean {
    const matches = this.#pathMatcher(pattern, root);
    return matches(target.path) || (this.#kind !== 'allow' && target.given !== undefined && matches(target.given));
  }

  /**
   * Allows a call if each target is covered by at least one rule. Different rules may cover the parts of a command
   * line.
   */
  #allowedTogether(request: PermissionRequest, targets: readonly Target[], root: string): RuleHit | undefined {
    const called = calledTool(request, 'exact');
    const rules = [...this.#rules.values()];
    const ofWords = rules.filter(
      (rule) => rule.pattern !== undefined && (coversName(rule, called) || allowsToRun(rule, request)),
    );
    const patterns = ofWords.flatMap(({ pattern }) => pattern ?? []);
    const allowing = targets.map((target) => {
      const alone = targets.length > 1 && rules.find((rule) => this.#matches(rule, request, [target], root) === 'yes');
      if (alone) return [alone];
      const isByWords = target.kind === 'command' && patterns.length > 1;
      return isByWords && covers(patterns, target, root, this.#readsFreely) ? ofWords : undefined;
    });
    if (allowing.length === 0 || allowing.includes(undefined)) return undefined;
    return {
      rule: [...new Set(allowing.flatMap((by) => by ?? []).map(({ text }) => text))].join(', '),
      isCertain: true,
    };
  }

  #pathMatcher(pattern: string, root: string): PathMatcher {
    const key = `${root}\0${pattern}`;
    this.#matchers ??= new Map();
    let matcher = this.#matchers.get(key);
    if (matcher === undefined) {
      matcher = compilePathPattern(pattern, root, this.#kind === 'allow' ? 'exact' : 'folded');
      this.#matchers.set(key, matcher);
    }
    return matcher;
  }
}

const contentTools = builtinsThat(({ showsContent }) => showsContent);

/** Read and Edit: rules with these names apply to every tool that uses files. */
const fileRules: readonly unknown[] = [ruleNames.read, ruleNames.edit];

/**
 * In deny and ask lists, a bare `Read` or `Edit` covers all tools that show or change files, because otherwise the
 * model could use another tool.
 */
function widened(rule: Rule): Rule {
  const isOfFiles = rule.pattern === undefined && fileRules.includes(builtinName(rule.tool));
  return isOfFiles ? { ...rule, pattern: '*' } : rule;
}

/** Whether a deny or ask rule names one of these built-in tools. */
function namesOneOf(rule: Rule, tools: readonly string[]): boolean {
  return tools.some((tool) =>
    coversName(rule, { name: tool, isCalled: (name) => builtinName(name) === tool }, 'folded'),
  );
}

/**
 * Whether an allow rule applies to a kind of target. `Read(…)` applies to all tools that read files or list folders,
 * `Edit(…)` to all tools that change files, and `Bash(…)` to tools that only run commands.
 */
function appliesToKind(
  rule: Rule,
  { kind }: Exclude<Target, { readonly kind: 'own' }>,
  request: PermissionRequest,
): boolean {
  if (kind === 'command') return allowsToRun(rule, request);
  return fileRules.includes(rule.tool) && rule.tool === ruleNames[kind];
}

function allowsToRun(rule: Rule, request: PermissionRequest): boolean {
  return rule.tool === ruleNames.command && traitsOf(request).runs === true;
}

/** `domain:example.com` covers the host and its subdomains. */
function hitsHost(pattern: string, url: string, kind: RuleKind): RuleMatch {
  const wanted = ruleHost(pattern);
  const host = parseAddress(url)?.hostname.toLowerCase().replace(/\.+$/, '') ?? '';
  if (wanted === undefined) return 'no';
  // A tool may add the scheme to an address such as `example.com`, so the rule may match.
  if (host === '' && kind !== 'allow') return 'possible';
  return host === wanted || host.endsWith(`.${wanted}`) ? 'yes' : 'no';
}

/**
 * Whether allow patterns together cover every command of a line. With `readsFreely`, commands that are known to be
 * read-only and name no files need no pattern.
 */
function covers(
  patterns: readonly string[],
  target: Target & { kind: 'command' },
  root: string,
  readsFreely: boolean,
): boolean {
  const reading = readCommand(target.command);
  const places = placesOf(pathKnowledgeOf(target), root);
  const isReadOnly = (index: number) => assessmentOf(target).commands[index]?.isReadOnly === true;
  // A command is judged by the files as they are now, but another command of the line may change these files first.
  return isCovered(reading, patterns.map(parseCommandRule), {
    staysInside: staysInside(reading, places),
    needsNoRule: (command, index) => readsFreely && isReadOnly(index) && !restsOnFiles(command),
    holdsOptionNames: (command) =>
      reading.commands.some((other, index) => other !== command && !isReadOnly(index)) ||
      enteredFolders(reading, places)?.every((folder) => places.matched(`${folder}/-*`)?.length === 0) !== true,
  });
}
