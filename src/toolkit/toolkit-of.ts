import { turnKinds } from '../call/run/run-options.js';
import { ruleNames } from '../core/builtin-tools.js';
import type { Caller } from '../core/context.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { assertOptions, kindOf } from '../core/support/option-kinds.js';
import type { Tool } from '../core/tool.js';
import { isOffered } from '../ports/policy.js';
import { runPlan } from '../sessions/session-plan.js';
import { readTodos } from '../tools/planning/todos.js';
import { isUnconfigured } from '../tools/support/refusing.js';
import type { Resources } from './make-resources.js';
import type { Tools } from './make-tools.js';
import type { TurnParts } from './make-turns.js';
import { toolkitFiles } from './toolkit-files.js';
import { instructionsOf } from './toolkit-instructions.js';
import { defaultCaller } from './toolkit-turns.js';

/** The public interface over the stages. `openIn` creates a toolkit for another folder. */
export function toolkitOf(
  resources: Resources,
  { registry }: Tools,
  { settings, registries, turns }: TurnParts,
  openIn: Toolkit['openIn'],
): Toolkit {
  const { options, limits, files, sessions, plan, mcp, agents, shell, tasks, todos, scrub } = resources;
  const known = (caller = defaultCaller): Caller => {
    assertOptions('toolkit', { caller }, { caller: turnKinds.caller });
    return caller;
  };
  const offeredTo = (caller: Caller) => (tool: Tool) =>
    (options.features?.offerAll === true || !isUnconfigured(tool)) &&
    (mcp?.catalogue.isListed(tool, caller) ?? true) &&
    isOffered(settings.policy, tool, caller);
  const definitions = (caller?: Caller) => registry.definitions(offeredTo(known(caller)));
  const definitionsFor = async (caller?: Caller, signal = AbortSignal.any([])) => {
    assertOptions('definitionsFor', { signal }, { signal: turnKinds.signal });
    const by = known(caller);
    return (await registries.of({ caller: by, signal })).definitions(offeredTo(by));
  };
  const dispose = () => {
    mcp?.dispose();
    agents.drop(toolkit);
    return sessions.dispose();
  };
  const toolkit: Toolkit = {
    registry,
    limits,
    files: toolkitFiles(files, turns),
    scrub,
    mayVisit: (url, caller) => {
      assertOptions('mayVisit', { url }, { url: kindOf.text });
      return resources.mayFollow(ruleNames.url, url, known(caller));
    },
    attach: (part) => sessions.attach(part),
    definitions,
    definitionsFor,
    instructions: (caller) =>
      instructionsOf({
        root: files.root,
        additionalRoots: options.additionalRoots ?? [],
        paths: options.relativePaths ?? 'reject',
        offered: definitions(caller).flatMap(({ name }) => registry.get(name) ?? []),
      }),
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
    mcpSummaries: (caller) => {
      const by = known(caller);
      return mcp?.catalogue.summaries(by) ?? '';
    },
    clearPlan: (caller) => plan.of(known(caller)).clear(),
    fileChanges: (caller) => files.recorded(known(caller)),
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
    drainNotifications: () => tasks.drainNotifications().map((news) => ({ ...news, label: scrub(news.label) })),
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
  return toolkit;
}
