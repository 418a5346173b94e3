import type { Assessment } from './assessment.js';
import type { ToolMetadata } from './tool-result.js';

/**
 * The agent that makes a call. Tools, hooks and hosts get the same object that the turn was started with, including
 * fields that the host added.
 */
export interface Caller {
  /** Plans, tasks, counters and the rules of `allow-always` answers belong to the session with this id. */
  readonly sessionId: string;
  /** The subagent that calls. Default: the main agent. */
  readonly agentId?: string;
  /** The agent that started this agent. Default: the main agent, which has no id. */
  readonly parentId?: string;
  /** The person who uses the session. `contextStore` keeps files for each person. Default none. */
  readonly userId?: string;
  /** The message of the model that contains the calls of this turn. Default none. */
  readonly messageId?: string;
  /** Where the conversation runs, such as `slack`. Default none. */
  readonly channel?: string;
  /** The chat in that channel. Default none. */
  readonly chatId?: string;
  /** Whether the chat is with one person or with several. Default: unknown. */
  readonly peerKind?: 'direct' | 'group';
  /** Sessions with different keys never share a sandbox. Default: the sandbox that all sessions without a key share. */
  readonly sandboxKey?: string;
  /** Depth of the agent: 0 is the main agent, 1 its subagents, and so on. Default 0. */
  readonly depth?: number;
  /** The model provider of this caller, for policies that differ by provider. Default none. */
  readonly provider?: string;
}

export const defaultCaller: Caller = Object.freeze({ sessionId: 'default' });

/** The last argument of every host method: the caller, and the signal that stops the work. */
export interface CallScope {
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** The id of a caller's own session: for a subagent, its agent id. */
export function sessionOf({ sessionId, agentId, depth = 0 }: Caller): string {
  return depth > 0 && agentId !== undefined ? agentId : sessionId;
}

/** A key that no other agent has. */
export function agentKey({
  sessionId,
  agentId,
}: {
  readonly sessionId: string;
  readonly agentId?: string | undefined;
}) {
  return JSON.stringify([sessionId, agentId]);
}

/** A progress report of a running call. */
export interface ProgressUpdate {
  readonly title?: string;
  readonly metadata?: ToolMetadata;
}

/**
 * The context of one tool call. The context holds only data of the call: a tool gets its resources from its factory.
 */
export interface ToolContext extends CallScope {
  readonly callId: string;
  /** The name that the tool was called by, which may be an alias. Default: the name of the tool. */
  readonly calledAs?: string;
  /** False if nobody listens to {@link metadata}: the tool need not prepare progress reports. Default: unknown. */
  readonly hasListener?: boolean;
  /** Sends a `tool-progress` event to the host. Never throws. After the call has ended, updates are ignored. */
  metadata(update: ProgressUpdate): void;
}

/**
 * The context that `execute` of a definition receives. It repeats some fields of the context and of the caller under a
 * second name.
 */
export interface NamedToolContext extends ToolContext {
  /** `caller.sessionId`. */
  readonly sessionID: string;
  /** `caller.messageId`; empty if the host gives none. */
  readonly messageID: string;
  /** `caller.agentId`; empty for the main agent. */
  readonly agent: string;
  /** `signal`. */
  readonly abort: AbortSignal;
  /** `callId`. */
  readonly callID: string;
}

/**
 * The context of one call. Tools may destructure the context. To change the signal, spread the context and add a new
 * `signal`.
 */
export class CallContext implements NamedToolContext {
  readonly callId: string;
  readonly calledAs: string;
  readonly caller: Caller;
  readonly hasListener: boolean;
  readonly metadata: ToolContext['metadata'];
  readonly callID: string;
  readonly sessionID: string;
  readonly messageID: string;
  readonly agent: string;
  /** The assessment by which the call was authorised. */
  readonly assessment: Assessment;
  readonly #scope: CallScope;

  /** `metadata` is undefined when there is no listener. */
  constructor(
    callId: string,
    calledAs: string,
    scope: CallScope,
    assessment: Assessment,
    metadata: ToolContext['metadata'] | undefined,
  ) {
    const { caller } = scope;
    this.assessment = assessment;
    this.callId = this.callID = callId;
    this.calledAs = calledAs;
    this.caller = caller;
    this.hasListener = metadata !== undefined;
    this.metadata = metadata ?? ignoreProgress;
    this.sessionID = caller.sessionId;
    this.messageID = caller.messageId ?? '';
    this.agent = caller.agentId ?? '';
    this.#scope = scope;
  }

  // A getter, because SupervisedScope assumes that a tool listens to its signal once the tool has read the signal.
  get signal(): AbortSignal {
    return this.#scope.signal;
  }

  get abort(): AbortSignal {
    return this.#scope.signal;
  }
}

const ignoreProgress = () => {};

/** The assessment by which a call was authorised; undefined if a program called `tool.execute` directly. */
export function assessmentIn(context: ToolContext): Assessment | undefined {
  return (context as Partial<CallContext>).assessment;
}

/** Adds the second names to a context. A `CallContext`, which the pipeline makes, has them already. */
export function namedContext(context: ToolContext): NamedToolContext {
  if (context instanceof CallContext) return context;
  const { callId, caller, signal } = context;
  const { sessionId: sessionID = '', messageId: messageID = '', agentId: agent = '' } = caller ?? {};
  const metadata: ToolContext['metadata'] = (update) => context.metadata(update);
  return { ...context, callId, caller, signal, metadata, sessionID, messageID, agent, abort: signal, callID: callId };
}
