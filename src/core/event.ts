import type { PlainCallResult } from './call.js';
import type { Caller } from './context.js';
import type { AnyErrorCode } from './error.js';
import type { Risk } from './risk.js';
import type { Todo } from './todo.js';
import type { ToolMetadata } from './tool-result.js';

/** The state of an MCP server. While a server is `connecting` for the first time, its tools are unknown. */
export type McpServerState = 'connecting' | 'connected' | 'reconnecting' | 'failed' | 'disabled' | 'stopped';

/** Fields that all events of a call have. */
interface CallEvent {
  readonly callId: string;
  readonly name: string;
}

/** Everything a host can observe while calls run. JSON-serialisable and scrubbed. */
export type ToolEvent =
  /**
   * A call starts: the tool was found, the input was parsed, and the call was allowed. `input` is the input that the
   * tool gets.
   */
  | (CallEvent & { readonly type: 'tool-start'; readonly input: unknown; readonly title?: string })
  /**
   * A running call reports progress. The metadata of Bash is `BashProgress`. Nothing comes after the `tool-end` of the
   * call.
   */
  | (CallEvent & { readonly type: 'tool-progress'; readonly title?: string; readonly metadata?: ToolMetadata })
  /** A call that started has ended: one for each `tool-start`. `code` is set if the call failed. */
  | (CallEvent & {
      readonly type: 'tool-end';
      readonly ok: boolean;
      readonly durationMs: number;
      readonly code?: AnyErrorCode;
    })
  /** A call was refused before it started, so there is no `tool-start` and no `tool-end`. */
  | (CallEvent & { readonly type: 'tool-refused'; readonly code: AnyErrorCode })
  /**
   * A started or refused call has settled, even if the rest of its turn still runs. This is the last event of each
   * call. The result is a copy as plain data, made before `limits.output.maxTurnChars` shortens the output. Its `error`
   * is `{ code, message, retryable }`.
   */
  | (CallEvent & { readonly type: 'tool-result'; readonly result: PlainCallResult })
  /**
   * A call failed and is retried after a pause of `delayMs`; `attempt` is the number of the next try, 2 for the first
   * retry.
   */
  | (CallEvent & {
      readonly type: 'tool-retry';
      readonly attempt: number;
      readonly code: AnyErrorCode;
      readonly delayMs: number;
    })
  /** A person is asked about a call; `reason` says why. */
  | (CallEvent & {
      readonly type: 'permission-ask';
      readonly title: string;
      readonly risk: Risk;
      readonly reason?: string;
    })
  /** A person has answered a question, or has not answered in time, which denies the call. */
  | (CallEvent & {
      readonly type: 'permission-decision';
      readonly behavior: 'allow' | 'deny';
      readonly message?: string;
    })
  /**
   * A background task has ended, perhaps long after the turn that started it. Its `label` is the command line. The
   * state `running` means that the task has had no output for a minute and may wait for input. `waitsForInput` is
   * `unknown` with the shell of this library, which cannot detect it.
   */
  | {
      readonly type: 'task-update';
      readonly taskId: string;
      readonly state: 'running' | 'completed' | 'failed' | 'stopped';
      readonly label?: string;
      readonly waitsForInput?: 'yes' | 'unknown';
    }
  /** TodoWrite has replaced the list of todos. */
  | {
      readonly type: 'todo-update';
      readonly todos: readonly Todo[];
      readonly sessionId: string;
      readonly agentId?: string;
    }
  /**
   * A tool has written or removed files, given by their canonical paths; a patch sends one event for each file.
   * Programs can use this event to update derived data, such as an index. Changes by shell commands, other programs and
   * MCP servers send no event.
   */
  | { readonly type: 'files-changed'; readonly paths: readonly string[] }
  /** A person clicked in a canvas, or a script in the canvas sent a message. `event` is the data that was sent. */
  | { readonly type: 'canvas-event'; readonly sessionId: string; readonly id: string; readonly event: unknown }
  /**
   * A rule or a name in the options is probably a mistake: it matched no tool at the start of a turn, or the path in
   * the rule matches other files than its author probably meant. The deny rules and ask rules are checked, and the
   * names in the policy, the rate limiter and the matchers of hooks. `near` is the most similar known name, if any.
   */
  | { readonly type: 'rule-warning'; readonly rule: string; readonly reason: string; readonly near?: string }
  /** `registryFor` failed for a caller, so its turn uses the registry of the toolkit. */
  | {
      readonly type: 'registry-warning';
      readonly reason: string;
      readonly sessionId: string;
      readonly agentId?: string;
    }
  /** An MCP server changed its state or its tools. The tools have the names that the server gives them. */
  | {
      readonly type: 'mcp-update';
      readonly server: string;
      readonly state: McpServerState;
      readonly added?: readonly string[];
      readonly removed?: readonly string[];
      /**
       * Tools whose definition changed after they were first offered, with the changed fields. These tools are disabled
       * until they are approved.
       */
      readonly changed?: readonly { readonly tool: string; readonly fields: readonly string[] }[];
      /** Tools that cannot be offered, and why. */
      readonly quarantined?: readonly { readonly tool: string; readonly reason: string }[];
    };

/**
 * Receives each event with its caller: the caller of the turn for events of calls, the agent that caused the event for
 * events of tasks, todos and files, and undefined for events that concern all sessions. Errors that a listener throws
 * are ignored, so a listener cannot change a call.
 */
export type ToolEventListener = (event: ToolEvent, caller?: Caller) => void;
