import type { ToolMetadata } from './tool.js';

/**
 * Who is asking. Never changed: tools, hooks and hosts get the very object that the turn was started with, with
 * whatever else the host put there.
 */
export interface Caller {
  /** What plans, tasks, "always" rules and counts are kept by. */
  readonly sessionId: string;
  /** The subagent that calls. Default: the main agent. */
  readonly agentId?: string;
  /** The agent that started this one. Default: the main agent, which has no id. */
  readonly parentId?: string;
  /** The person behind the session, whose own files `contextStore` serves. Default none. */
  readonly userId?: string;
  /** The message of the model that the calls of this turn stand in. Default none. */
  readonly messageId?: string;
  /** Where the conversation runs, such as `slack`. Default none. */
  readonly channel?: string;
  /** The chat in that channel. Default none. */
  readonly chatId?: string;
  /** Whether the chat is with one person or with several. Default: unknown. */
  readonly peerKind?: 'direct' | 'group';
  /** Sessions with different keys never share a sandbox. Default: the one without a key. */
  readonly sandboxKey?: string;
  /** How deep the agent stands: 0 is the main agent, 1 its subagents, and so on. Default 0. */
  readonly depth?: number;
  /** The model provider this caller speaks to, for policies that differ by provider. Default none. */
  readonly provider?: string;
}

/** What every host method receives last: who asks, and when to stop. */
export interface CallScope {
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** What streams to the host while a call runs. */
export interface ProgressUpdate {
  readonly title?: string;
  readonly metadata?: ToolMetadata;
}

/** What one tool call receives. Per-call data only: resources come through the tool's factory. */
export interface ToolContext extends CallScope {
  readonly callId: string;
  /** The name that the tool was called by, which may be an alias. Default: its own. */
  readonly calledAs?: string;
  /** False where nobody hears {@link metadata}, so that work for it can be spared. Default: unknown. */
  readonly hasListener?: boolean;
  /** Sends a `tool-progress` event to the host. Never throws; after the call has ended it does nothing. */
  metadata(update: ProgressUpdate): void;
}

/** What the `execute` of a definition receives: the context of the call, whose parts have a second name each. */
export interface NamedToolContext extends ToolContext {
  /** `caller.sessionId`. */
  readonly sessionID: string;
  /** `caller.messageId`; empty where the host gives none. */
  readonly messageID: string;
  /** `caller.agentId`; empty for the main agent. */
  readonly agent: string;
  /** `signal`. */
  readonly abort: AbortSignal;
  /** `callId`. */
  readonly callID: string;
}

/** The context of one call. Tools may take it apart; to pass it on with another signal, spread it and add that. */
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
  readonly #scope: CallScope;

  /** Without `metadata` nobody listens. */
  constructor(callId: string, calledAs: string, scope: CallScope, metadata: ToolContext['metadata'] | undefined) {
    const { caller } = scope;
    this.callId = this.callID = callId;
    this.calledAs = calledAs;
    this.caller = caller;
    this.hasListener = metadata !== undefined;
    this.metadata = metadata ?? unheard;
    this.sessionID = caller.sessionId;
    this.messageID = caller.messageId ?? '';
    this.agent = caller.agentId ?? '';
    this.#scope = scope;
  }

  // Asked for only by tools that can react to it: see SupervisedScope.
  get signal(): AbortSignal {
    return this.#scope.signal;
  }

  get abort(): AbortSignal {
    return this.#scope.signal;
  }
}

const unheard = () => {};

/** The context that a tool was called with, by hand or by the pipeline, with all its names. */
export function namedContext(context: ToolContext): NamedToolContext {
  if (context instanceof CallContext) return context;
  const { callId, caller, signal } = context;
  const { sessionId: sessionID = '', messageId: messageID = '', agentId: agent = '' } = caller ?? {};
  const metadata: ToolContext['metadata'] = (update) => context.metadata(update);
  return { ...context, callId, caller, signal, metadata, sessionID, messageID, agent, abort: signal, callID: callId };
}
