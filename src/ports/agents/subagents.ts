import type { CallScope } from '../../core/context.js';
import type { ToolDefinitionJson } from '../../core/registry/tool-definitions.js';
import type { AgentMessage, SubagentUsage } from '../../core/subagent.js';

/** The task of a subagent, and the means to run it. */
export interface SubagentRequest {
  /** The id of the subagent, the same as `scope.caller.agentId`. */
  readonly id: string;
  /** Three to five words, for people. */
  readonly description: string;
  /** The whole task; a subagent gets no other part of the conversation. */
  readonly prompt: string;
  /** One of {@link SubagentSpawner.types}, or `general-purpose`. */
  readonly type: string;
  /** One of {@link SubagentSpawner.models}, if the spawner lists any. Default: the spawner's choice. */
  readonly model?: string | undefined;
  /** The maximum number of model rounds. In the last round the subagent is told to conclude. */
  readonly maxTurns: number;
  /** The name of the subagent for other agents, unique among the running subagents of the session. */
  readonly name?: string | undefined;
  readonly teamName?: string | undefined;
  /** A permission mode that the toolkit enforces, in addition to the mode of the parent. */
  readonly mode?: string | undefined;
  /** Absolute folder to work in. Default: the root of the toolkit. */
  readonly cwd?: string | undefined;
  /** The id of an ended subagent to continue. */
  readonly resume?: string | undefined;
  /** The message to a continued subagent. Default: `prompt`. */
  readonly message?: string | undefined;
  /** The tools of the subagent. */
  readonly tools: readonly ToolDefinitionJson[];
  /** Reports progress. Does nothing after the subagent has ended. */
  report(progress: SubagentProgress): void;
  /** Returns the messages to the subagent since the last call, oldest first. Call this before each round. */
  inbox(): readonly AgentMessage[];
}

/** Progress of a subagent. */
export interface SubagentProgress {
  readonly text?: string | undefined;
  /** The current round, from 1. */
  readonly turn?: number | undefined;
}

/** The result of a subagent. */
export interface SubagentResult {
  /** The last answer of the subagent, the only text that its parent reads. */
  readonly output: string;
  readonly usage?: Partial<SubagentUsage> | undefined;
}

/**
 * Runs subagents: for each, a loop in which a model calls tools. `scope.caller` is the subagent itself (`agentId`,
 * `parentId`, `depth`); all calls of the subagent must use this caller. `scope.signal` ends the subagent.
 */
export interface SubagentSpawner {
  /** Runs one subagent to its end. Rejects if the subagent fails. */
  spawn(request: SubagentRequest, scope: CallScope): Promise<SubagentResult>;
  /** The types of subagents, each with its purpose. Default: only `general-purpose`. */
  readonly types?: Readonly<Record<string, string>> | undefined;
  /** The models that a call may name. An empty list, the default, allows any model. */
  readonly models?: readonly string[] | undefined;
  /** Called when an ended subagent is archived and cannot be resumed any more. */
  readonly forget?: ((id: string) => void) | undefined;
}
