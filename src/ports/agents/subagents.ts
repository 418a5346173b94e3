import type { CallScope } from '../../core/context.js';
import type { ToolDefinitionJson } from '../../core/registry/tool-definitions.js';
import type { AgentMessage, SubagentUsage } from '../../core/subagents.js';

/** What a subagent is started for, and what it is given. */
export interface SubagentRequest {
  /** Of the subagent; `scope.caller.agentId` is the same. */
  readonly id: string;
  /** Three to five words, for people. */
  readonly description: string;
  /** The whole task; a subagent knows nothing else of the conversation. */
  readonly prompt: string;
  /** One of {@link SubagentSpawner.types}, or `general-purpose`. */
  readonly type: string;
  /** One of {@link SubagentSpawner.models}, where it lists some. Default: the spawner's choice. */
  readonly model?: string | undefined;
  /** Rounds of the model; in the last it has to conclude. */
  readonly maxTurns: number;
  /** What others call it: unique among the running subagents of the session. */
  readonly name?: string | undefined;
  readonly teamName?: string | undefined;
  /** A permission mode laid over that of the parent; the stricter holds. The toolkit keeps it by itself. */
  readonly mode?: string | undefined;
  /** Absolute folder to work in, where that is not the root of the toolkit. */
  readonly cwd?: string | undefined;
  /** The id of a subagent that has ended, to go on where it did. */
  readonly resume?: string | undefined;
  /** What it is told as it goes on. Default: `prompt`. */
  readonly message?: string | undefined;
  /** What it is offered. */
  readonly tools: readonly ToolDefinitionJson[];
  /** Tells how far it is. Does nothing after it has ended. */
  report(progress: SubagentProgress): void;
  /** Takes what was sent to it since the last look, oldest first. Look before each round. */
  inbox(): readonly AgentMessage[];
}

/** How far a subagent is. */
export interface SubagentProgress {
  readonly text?: string | undefined;
  /** The round that it is in, from 1. */
  readonly turn?: number | undefined;
}

/** What came of a subagent. */
export interface SubagentResult {
  /** Its last words, which are all that its parent reads. */
  readonly output: string;
  readonly usage?: Partial<SubagentUsage> | undefined;
}

/**
 * Runs subagents: a loop of a model over the tools that each is offered. `scope.caller` is the subagent's own (`agentId`,
 * `parentId`, `depth`): every call of its tools is made with it. `scope.signal` ends it.
 */
export interface SubagentSpawner {
  /** Runs one subagent to its end. Rejects where it fails. */
  spawn(request: SubagentRequest, scope: CallScope): Promise<SubagentResult>;
  /** The kinds of subagents there are, each with what it is for. Default: `general-purpose` alone. */
  readonly types?: Readonly<Record<string, string>> | undefined;
  /** The models that a call may name. Default, and with an empty list: any. */
  readonly models?: readonly string[] | undefined;
  /** Called when one that has ended is forgotten and cannot be resumed any more. */
  readonly forget?: ((id: string) => void) | undefined;
}
