import { turnKinds } from '../call/run/run-option-kinds.js';
import type { RunSettings } from '../call/run/settings.js';
import type { Caller } from '../core/context.js';
import type { RunnableRegistry } from '../core/registry/runnable-registry.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { assertOptions, kindOf } from '../core/support/option-kinds.js';
import type { Tool } from '../core/tool.js';
import { isOffered } from '../permissions/policy/policy.js';
import type { FileSystem } from '../ports/file-system.js';
import type { TodoStore } from '../ports/planning/todo-store.js';
import type { Scrubber } from '../secrets/scrubber.js';
import type { TaskManager } from '../sessions/tasks/tasks.js';
import { readTodos } from '../tools/planning/todos.js';
import { isUnconfigured } from '../tools/support/refusing.js';
import type { CallerRegistries } from './caller-registries.js';
import { runPlan } from './run-plan.js';
import { toolkitFiles } from './toolkit-files.js';
import type { ToolkitSessions } from './toolkit-sessions.js';
import { defaultCaller, type ToolkitTurns } from './toolkit-turns.js';
import type { WiredAgents } from './wire-agents.js';
import type { WiredFiles } from './wire-files.js';
import type { WiredMcp } from './wire-mcp.js';
import type { WiredPlan } from './wire-plan.js';
import type { WiredShell } from './wire-shell.js';

/** The parts of a toolkit that programs reach. */
export interface ToolkitParts {
  readonly offersAll: boolean;
  readonly registry: RunnableRegistry;
  readonly settings: RunSettings;
  readonly files: FileSystem;
  /** The same, with every change recorded where undo is on. */
  readonly tracked: FileSystem;
  readonly recorded: WiredFiles['recorded'];
  readonly turns: ToolkitTurns;
  readonly registries: Pick<CallerRegistries, 'of'>;
  readonly sessions: ToolkitSessions;
  readonly plan: WiredPlan;
  readonly mcp: WiredMcp | undefined;
  readonly agents: Pick<WiredAgents, 'view'>;
  readonly shell: Pick<WiredShell, 'leftCommands' | 'leftovers'>;
  readonly tasks: TaskManager;
  readonly todos: TodoStore;
  readonly scrubber: Scrubber | false;
  /** The text for the system prompt of a caller who is offered these tools. */
  readonly instructions: (offered: readonly Tool[]) => string;
  readonly mayVisit: (url: string, caller: Caller) => boolean;
  readonly attach: Toolkit['attach'];
  readonly openIn: Toolkit['openIn'];
  readonly dispose: () => Promise<void>;
}

/** What a program holds of the parts that were wired. */
export function toolkitOf(parts: ToolkitParts): Toolkit {
  const { registry, settings, files, turns, sessions, plan, mcp, agents, shell, tasks } = parts;
  const { offersAll, todos, scrubber, instructions, attach, openIn, dispose } = parts;
  const { limits } = settings;
  const known = (caller = defaultCaller): Caller => {
    assertOptions('toolkit', { caller }, { caller: turnKinds.caller });
    return caller;
  };
  const offeredTo = (caller: Caller) => (tool: Tool) =>
    (offersAll || !isUnconfigured(tool)) &&
    (mcp?.catalogue.isListed(tool, caller) ?? true) &&
    isOffered(settings.policy, tool, caller);
  const definitions = (caller?: Caller) => registry.definitions(offeredTo(known(caller)));
  const definitionsFor = async (caller?: Caller, signal = AbortSignal.any([])) => {
    assertOptions('definitionsFor', { signal }, { signal: turnKinds.signal });
    const by = known(caller);
    return (await parts.registries.of({ caller: by, signal })).definitions(offeredTo(by));
  };
  return {
    registry,
    limits,
    files: toolkitFiles(files, parts.tracked, turns),
    scrub: scrubber === false ? (text) => text : (text) => scrubber.text(text),
    mayVisit: (url, caller) => {
      assertOptions('mayVisit', { url }, { url: kindOf.text });
      return parts.mayVisit(url, known(caller));
    },
    attach,
    definitions,
    definitionsFor,
    instructions: (caller) => instructions(definitions(caller).flatMap(({ name }) => registry.get(name) ?? [])),
    execute: turns.execute.bind(turns) as Toolkit['execute'],
    resume: (suspension, answers, turn) => turns.resume(suspension, answers, turn),
    decide: (call, turn) => turns.decide(call, turn),
    call: (name, input, turn) => turns.call(name, input, turn),
    get planQueue() {
      return plan.queue;
    },
    planQueueOf: (caller) => plan.of(known(caller)).queue,
    runPlan: async (turn = {}) => {
      assertOptions('runPlan', turn, turnKinds);
      const { caller = defaultCaller, signal } = turn;
      const ending = sessions.ending(caller.sessionId, signal);
      if (ending !== undefined) await ending;
      const own = plan.of(caller);
      own.exit();
      return await runPlan(own, (calls) => turns.runApproved(calls, turn));
    },
    todos: (caller) =>
      readTodos(
        { todos, timeoutMs: limits.resolver.timeoutMs },
        { caller: known(caller), signal: AbortSignal.any([]) },
      ),
    mcpSummaries: (caller) => (mcp ?? { summaries: () => '' }).summaries(known(caller)),
    clearPlan: (caller) => plan.of(known(caller)).clear(),
    fileChanges: (caller) => parts.recorded(known(caller)),
    tasks,
    subagents: agents.view,
    openIn,
    leftovers: (sessionId) => {
      assertOptions('leftovers', { sessionId }, { sessionId: kindOf.text });
      return shell.leftovers(sessionId);
    },
    leftCommands: shell.leftCommands,
    sessions: () => sessions.turns.sessions(),
    endSession: async (sessionId) => {
      if (typeof sessionId === 'string') return await sessions.end(sessionId);
      throw new TypeError("endSession takes the id of a session as text: write endSession('session_1')");
    },
    drainNotifications: () =>
      tasks
        .drainNotifications()
        .map((news) => (scrubber === false ? news : { ...news, label: scrubber.text(news.label) })),
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}
