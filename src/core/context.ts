import type { ToolMetadata } from './tool.js';

/**
 * Who is asking. Never changed: tools, hooks and hosts get the very object that the turn was started with, with
 * whatever else the host put there.
 */
export interface Caller {
  readonly sessionId: string;
  readonly agentId?: string;
  /** The agent that started this one; undefined for a child of the main agent, which has no id. */
  readonly parentId?: string;
  readonly userId?: string;
  /** The message of the model that the calls of this turn stand in. */
  readonly messageId?: string;
  /** Where the conversation runs, such as `slack`. */
  readonly channel?: string;
  readonly chatId?: string;
  /** Whether the chat is with one person or with several. */
  readonly peerKind?: 'direct' | 'group';
  /** Sessions with different keys never share a sandbox. */
  readonly sandboxKey?: string;
  /** 0 is the main agent, 1 its subagents, and so on. Default 0. */
  readonly depth?: number;
  /** The model provider this caller speaks to, for policies that differ by provider. */
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
