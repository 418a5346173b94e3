import { ruleNames } from '../../core/builtin-tools.js';
import { parseAddress } from '../../core/http/parse-address.js';
import type { Target } from '../../core/tool.js';
import { builtinName, builtinsThat, traitsOf } from '../../core/tool-names.js';
import type { PermissionRequest } from '../../ports/permissions.js';
import { pathKnowledgeOf } from '../../shell/assess/assess-command.js';
import { readCommand } from '../../shell/parse/read-command.js';
import { parseCommandRule } from '../../shell/rules/command-rule.js';
import { isCovered, matchRestriction, type RuleMatch } from '../../shell/rules/match-command-rule.js';
import { matchCommandFiles, type PathRule, placesOf, staysInside } from './match-command-files.js';
import { absoluteGlob, compilePathPattern, type PathMatcher } from './path-pattern.js';
import { calledTool, coversName, matchesText, parseRule, type Rule, ruleHost } from './rule.js';

/** What a rule list does with a call: allow rules must cover all of it, ask and deny rules catch any part of it. */
export type RuleKind = 'allow' | 'ask' | 'deny';

/** The rule that decides; not certain where it shows only when the command runs whether the rule means it. */
export interface RuleHit {
  readonly rule: string;
  readonly isCertain: boolean;
}

/** An ordered list of rules of one kind. Rules are read when they are added, so a broken one is known at once. */
export class RuleList {
  readonly #kind: RuleKind;
  readonly #rules = new Map<string, Rule>();
  // Made when a path is matched: there is a list for each session in which somebody said "always".
  #matchers: Map<string, PathMatcher> | undefined;

  constructor(kind: RuleKind, rules: readonly string[] = []) {
    this.#kind = kind;
    this.add(rules);
  }

  /** Adds rules. Throws a TypeError for a broken one, before any is added. */
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

  /** False when it was not there. */
  remove(rule: string): boolean {
    return this.#rules.delete(rule);
  }

  /**
   * The first rule, or for an allow list of commands or of several targets the rules together, that decide the call;
   * undefined when none does.
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

  /** Whether a rule of this list catches the content of a file: what keeps it out of searches. */
  matchesContent(path: string, root: string): boolean {
    return [...this.#rules.values()].some((rule) => {
      const { pattern } = rule;
      if (pattern === undefined || !speaksOf(rule, contentTools)) return false;
      // A search as a whole is asked about then.
      return pattern === '*' ? this.#kind === 'deny' : this.#pathMatcher(pattern, root)(path);
    });
  }

  #matches(rule: Rule, request: PermissionRequest, targets: readonly Target[], root: string): RuleMatch {
    const { pattern } = rule;
    const isFolded = this.#kind !== 'allow';
    const letterCase = isFolded ? 'folded' : 'exact';
    const isNamed =
      coversName(rule, calledTool(request, letterCase), letterCase) ||
      (isFolded && speaksOf(rule, traitsOf(request).inPlaceOf ?? []));
    if (pattern === undefined) return isNamed ? 'yes' : 'no';
    if (isNamed && pattern === '*') return 'yes';
    // Nobody can say whether a pattern means a call that does not say what it acts on.
    if (isFolded && isNamed && targets.length === 0 && rule.tool !== '*') return 'possible';
    const bound = targets.filter(
      (target) =>
        isNamed ||
        (target.kind !== 'own' &&
          (isFolded ? speaksOf(rule, [ruleNames[target.kind]]) : bindsKind(rule, target, request))),
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
        return covers([pattern], target, root) ? 'yes' : 'no';
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

  /** A command line reads and changes files as well. */
  #hitsFiles(rule: Rule, pattern: string, target: Target, root: string): RuleMatch {
    if (target.kind !== 'command') return 'no';
    const kinds: PathRule['kinds'] = [
      ...(speaksOf(rule, contentTools) ? ['read' as const] : []),
      ...(speaksOf(rule, [ruleNames.edit]) ? ['edit' as const] : []),
    ];
    if (kinds.length === 0) return 'no';
    const places = placesOf(pathKnowledgeOf(target), root);
    const start = places.folders()[0] ?? root;
    const all = pattern === '*' ? '/**' : pattern;
    const path = { kinds, glob: absoluteGlob(all, start, 'folded'), matches: this.#pathMatcher(all, start) };
    return matchCommandFiles(path, readCommand(target.command), places);
  }

  // A link may not lead around a deny rule, nor into an allowed folder: deny looks at both names, allow at the real
  // one.
  #hitsPath(pattern: string, target: Target & { kind: 'read' | 'edit' }, root: string): boolean {
    const matches = this.#pathMatcher(pattern, root);
    return matches(target.path) || (this.#kind !== 'allow' && target.given !== undefined && matches(target.given));
  }

  /** Each target is allowed by whichever rule, and a command line when its parts are. */
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
      return isByWords && covers(patterns, target, root) ? ofWords : undefined;
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

/** The names whose rules speak of files, whatever the tool of the call is named. */
const fileRules: readonly unknown[] = [ruleNames.read, ruleNames.edit];

/**
 * In deny and ask lists a bare `Read` or `Edit` means whatever shows or changes files, since else the next tool would
 * do it.
 */
function widened(rule: Rule): Rule {
  const isOfFiles = rule.pattern === undefined && fileRules.includes(builtinName(rule.tool));
  return isOfFiles ? { ...rule, pattern: '*' } : rule;
}

/** Whether the name of a deny or ask rule means one of these built-in tools. */
function speaksOf(rule: Rule, tools: readonly string[]): boolean {
  return tools.some((tool) =>
    coversName(rule, { name: tool, isCalled: (name) => builtinName(name) === tool }, 'folded'),
  );
}

/**
 * In an allow rule, `Read(…)` speaks of everything that shows content, `Edit(…)` of everything that changes files,
 * `Bash(…)` of what runs commands and does nothing else.
 */
function bindsKind(
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
  // A tool may complete an address that names no host, such as `example.com`.
  if (host === '' && kind !== 'allow') return 'possible';
  return host === wanted || host.endsWith(`.${wanted}`) ? 'yes' : 'no';
}

/** Whether allow patterns together cover every command of a line. */
function covers(patterns: readonly string[], target: Target & { kind: 'command' }, root: string): boolean {
  const reading = readCommand(target.command);
  const isInside = staysInside(reading, placesOf(pathKnowledgeOf(target), root));
  return isCovered(reading, patterns.map(parseCommandRule), isInside);
}
