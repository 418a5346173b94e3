import type { Caller } from '../core/context.js';
import { defaultLimits } from '../core/limits.js';
import { toolAliases } from '../core/names.js';
import type { Tool } from '../core/tool.js';
import type { Policy } from '../host/policy.js';
import type { PolicyConfig } from './policy-config.js';
import { gatesFor, type PolicyStepName } from './policy-gates.js';
import { PolicyJudgement } from './policy-judgement.js';
import { readPolicy } from './policy-reader.js';
import { PolicySubjects, type ToolCatalogue } from './policy-subject.js';

/** One step of a policy over one tool. */
export interface PolicyStep {
  readonly step: PolicyStepName;
  /** Whether the tool is still, or again, in after this step. */
  readonly kept: boolean;
  /** Which entry of which list names the tool, or that none does: `group:fs in profile coding`, `not in the deny list`. */
  readonly why: string;
}

/** A policy made from a config. */
export interface ConfiguredPolicy extends Policy {
  /** Every step that the config has for this caller, in order; the last one says what {@link Policy.offers} says. */
  steps(tool: Tool, caller: Caller): readonly PolicyStep[];
}

/** What a config leaves to whoever makes the policy. */
export interface PolicyDefaults {
  /** Other names and further groups of tools, such as a registry knows. Default: the aliases of the built-in tools. */
  readonly catalogue?: ToolCatalogue;
  /** Default of `subagents.maxDepth`. */
  readonly maxDepth?: number;
}

/**
 * Makes a policy from a config. A tool is offered that the profile and every allow list cover: those for everybody, for the caller's provider,
 * agent, agent with that provider, and channel. Then the deny lists take away, `alsoAllow` gives back what was left out but not denied,
 * and subagents are denied what is not for them. Pure and synchronous; what is unknown in a caller counts as not named.
 * Throws a TypeError, with near names, for an unknown key, profile or group, and for what is no entry of a list.
 */
export function createPolicy(config: PolicyConfig = {}, defaults: PolicyDefaults = {}): ConfiguredPolicy {
  const { catalogue = builtinCatalogue(), maxDepth = defaultLimits.subagents.maxDepth } = defaults;
  const layers = readPolicy(config, maxDepth);
  const subjects = new PolicySubjects(catalogue);
  const judge = (tool: Tool, caller: Caller): PolicyJudgement => {
    const judgement = new PolicyJudgement(subjects.of(tool));
    for (const gate of gatesFor(layers, caller)) judgement.pass(gate);
    return judgement;
  };
  return {
    offers: (tool, caller) => judge(tool, caller).isOffered,
    explain: (tool, caller) => judge(tool, caller).explain(),
    steps: (tool, caller) => {
      const judgement = new PolicyJudgement(subjects.of(tool));
      return gatesFor(layers, caller).map((gate) => {
        const entry = judgement.pass(gate);
        return {
          step: gate.step,
          kept: judgement.isOffered,
          why: entry === undefined ? `not in ${gate.source}` : `${entry} in ${gate.source}`,
        };
      });
    },
  };
}

/** The policy of an option that takes a config or a policy. Throws a TypeError for what is neither. */
export function resolvePolicy(policy: PolicyConfig | Policy, defaults: PolicyDefaults): Policy {
  if (!isPolicy(policy)) return createPolicy(policy, defaults);
  if (typeof policy.explain === 'function') return policy;
  throw new TypeError('policy must be a config, or have the methods offers(tool, caller) and explain(tool, caller)');
}

function isPolicy(policy: PolicyConfig | Policy): policy is Policy {
  return typeof policy === 'object' && policy !== null && 'offers' in policy && typeof policy.offers === 'function';
}

/** What is known without a registry. */
function builtinCatalogue(): ToolCatalogue {
  const aliases = new Map<string, string[]>();
  for (const [alias, name] of Object.entries(toolAliases)) aliases.set(name, [...(aliases.get(name) ?? []), alias]);
  const none: readonly string[] = [];
  return { aliasesOf: (name) => aliases.get(name) ?? none, groupsOf: () => none };
}
