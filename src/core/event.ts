import type { AnyErrorCode } from './error.js';
import type { Risk } from './risk.js';
import type { ToolMetadata } from './tool.js';

/** Everything a host can observe while calls run. JSON-serialisable and scrubbed; each started call has one start and one end. */
export type ToolEvent =
  | { readonly type: 'tool-start'; readonly callId: string; readonly name: string; readonly input: unknown; readonly title?: string }
  | {
      readonly type: 'tool-progress';
      readonly callId: string;
      readonly name: string;
      readonly title?: string;
      readonly metadata?: ToolMetadata;
    }
  | {
      readonly type: 'tool-end';
      readonly callId: string;
      readonly name: string;
      readonly ok: boolean;
      readonly durationMs: number;
      readonly code?: AnyErrorCode;
    }
  | {
      /** A call that was refused before it started: there is no start and no end for it. */
      readonly type: 'tool-refused';
      readonly callId: string;
      readonly name: string;
      readonly code: AnyErrorCode;
    }
  | {
      readonly type: 'tool-retry';
      readonly callId: string;
      readonly name: string;
      readonly attempt: number;
      readonly code: AnyErrorCode;
      readonly delayMs: number;
    }
  | {
      readonly type: 'permission-ask';
      readonly callId: string;
      readonly name: string;
      readonly title: string;
      readonly risk: Risk;
      readonly reason?: string;
    }
  | {
      readonly type: 'permission-decision';
      readonly callId: string;
      readonly name: string;
      readonly behavior: 'allow' | 'deny';
      readonly message?: string;
    }
  | {
      readonly type: 'task-update';
      readonly taskId: string;
      readonly state: 'running' | 'completed' | 'failed' | 'stopped';
      readonly label?: string;
    }
  | { readonly type: 'todo-update'; readonly todos: readonly unknown[] };

/** Receives events. What it throws is swallowed: observing a call can never change it. */
export type ToolEventListener = (event: ToolEvent) => void;
