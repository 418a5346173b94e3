import type { RulePermissions } from '../access/create-permissions.js';
import { mayFollow } from '../access/may-follow.js';
import type { Caller } from '../core/context.js';
import { ToolRegistry } from '../core/registry/registry.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { resolveLimits } from '../core/resolve-limits.js';
import { assertOptions } from '../core/support/option-kinds.js';
import { isOffered } from '../pipeline/run/is-offered.js';
import { turnKinds } from '../pipeline/run/run-option-kinds.js';
import { assertPlanMode, type RunSettings, resolveSettings } from '../pipeline/run/settings.js';
import { shellHookRunner } from '../shell/hook-runner.js';
import { createPlanMode } from '../state/create-plan-mode.js';
import { createTaskBoard } from '../state/planning/create-task-board.js';
import { createTodoStore } from '../state/planning/create-todo-store.js';
import { ReadLedger } from '../state/read-ledger.js';
import { SpillFolder } from '../state/spill-folder.js';
import { memorySuspensions } from '../state/suspensions/memory-suspensions.js';
import { TaskListeners } from '../state/tasks/task-listeners.js';
import { TaskManager } from '../state/tasks/tasks.js';
import { createScrubber } from '../text/secrets/scrubber.js';
import { builtinTools } from '../tools/builtin.js';
import { syntaxChecker } from '../tools/content/syntax-check.js';
import { readTodos } from '../tools/planning/todos.js';
import type { KeptPage } from '../tools/web/web-fetch.js';
import { createHttpClient } from '../web/create-http-client.js';
import { PageCache } from '../web/page-cache.js';
import { commandPaths, commandPolicy } from './command-paths.js';
import { runPlan } from './run-plan.js';
import { SuspendedTurns } from './suspended-turns.js';
import { toolkitFiles } from './toolkit-files.js';
import { checkToolkitOptions, type ToolkitOptions } from './toolkit-options.js';
import { ToolkitSessions } from './toolkit-sessions.js';
import { defaultCaller, ToolkitTurns } from './toolkit-turns.js';
import { wireFiles } from './wire-files.js';
import { WiredMcp } from './wire-mcp.js';
import { addDirectories, hasRules, resolvePermissions } from './wire-permissions.js';
import { WiredPlan } from './wire-plan.js';
import { wireShell } from './wire-shell.js';

/**
 * Wires the built-in tools to a workspace. The one place where everything meets: resources, tools, runs. Throws a
 * TypeError for a mistake in the options: a root that is not absolute or does not exist, an unknown key, mode or limit.
 */
export function createToolkit(options: ToolkitOptions): Toolkit {
  checkToolkitOptions(options);
  const { hosts = {}, root, additionalRoots = [] } = options;
  const limits = resolveLimits(options.limits);
  const scrubber = options.scrubber ?? createScrubber({ values: hosts.search?.secrets?.() });
  const saveBytes = (bytes: Uint8Array) => spill.save(bytes);
  const permissions = resolvePermissions(options.permissions, root);
  const hidesPath: RulePermissions['hidesPath'] = (path, start, from = 'everything') =>
    permissions.hidesPath?.(path, start, from) === true;
  const { planMode = createPlanMode() } = options;
  assertPlanMode(planMode);
  const plan = new WiredPlan(planMode, permissions, defaultCaller, () => sessions.turns.sessions());
  const spill = new SpillFolder();
  const files = wireFiles(options, { hidesPath }, spill, limits);
  const paths = commandPaths({
    root: files.plain.root,
    disk: files.disk,
    settings: options.shell,
    folders: () => shell.folders(),
    isHidden: (path) => hidesPath(path, files.plain.root, 'searches'),
  });
  const assess = commandPolicy(paths);
  const shell = wireShell({
    roots: [files.plain.root, ...additionalRoots],
    spill,
    limits,
    scrubber,
    guard: assess,
    settings: options.shell ?? {},
    shell: hosts.shell,
    sandbox: options.sandbox,
  });
  const ledger = new ReadLedger(limits.read);
  const tasks = new TaskManager({
    limits: limits.tasks,
    stopGraceMs: limits.bash.killGraceMs + limits.call.abortGraceMs,
    maxLogChars: limits.bash.maxFileBytes,
    scrub: scrubber === false ? undefined : (text) => scrubber.text(text),
  });
  const pages = new PageCache<KeptPage>(limits.web);
  const todos = hosts.todos ?? createTodoStore();
  const board = options.features?.tasks === true ? (hosts.tasks ?? createTaskBoard()) : undefined;
  const tools = builtinTools({
    files: files.plain,
    tracked: files.tracked,
    changes: files.changes,
    syntax: options.files?.syntaxCheck === true ? syntaxChecker() : undefined,
    documents: hosts.documents,
    images: hosts.images,
    http: hosts.http ?? createHttpClient({ ...options.web, limits: limits.web }),
    mayFollow: (url, caller) => mayFollow(permissions, url, caller),
    pages,
    search: hosts.search,
    summarizer: hosts.summarizer,
    namesUnchanged: options.files?.namesUnchanged ?? false,
    shell: shell.guarded,
    deadline: shell.deadline,
    tasks,
    autoBackground: options.shell?.autoBackground ?? false,
    ledger,
    assess,
    paths,
    readBeforeWrite: options.files?.readBeforeWrite ?? false,
    planMode: plan,
    userInput: hosts.userInput,
    config: hosts.config,
    learn: scrubber === false ? undefined : (secret) => scrubber.learn?.([secret]),
    todos,
    onTodos: (written, { sessionId, agentId }) => {
      const owner = { sessionId, ...(agentId === undefined ? {} : { agentId }) };
      listeners.tell({ type: 'todo-update', todos: written, ...owner }, owner);
    },
    board,
    mcp: { client: hosts.mcp, saveBytes, catalogue: hosts.mcp && (() => (mcp as WiredMcp).catalogue) },
    limits,
    secretOf: scrubber === false ? undefined : scrubber.secretOf,
    scrub: scrubber === false ? false : (text) => scrubber.text(text),
  });
  const registry = new ToolRegistry({ cwd: files.plain.root, builtin: tools });
  registry.allow('Read', 'Glob', 'Grep', 'ListMcpResources', 'ReadMcpResource');
  if (hasRules(permissions)) permissions.checkNames?.(registry);

  const { policy, hooks, rateLimiter, retry, deadLetters, toolResolver, concurrency } = options;
  const listeners = new TaskListeners(scrubber, options.onEvent);
  const mcp: WiredMcp | undefined =
    hosts.mcp &&
    new WiredMcp({
      ...{ client: hosts.mcp, hosts, registry, scrubber, limits, saveBytes, images: hosts.images },
      prefix: options.mcp?.prefix,
      roots: () => files.disk?.roots ?? [files.plain.root, ...additionalRoots],
      offers: (tool, caller) => isOffered(settings.policy, tool, caller),
      tell: (update) => listeners.tellAll({ ...update, type: 'mcp-update' }),
    });
  const sessions = new ToolkitSessions({
    tasks,
    shell,
    keepers: [
      ...[permissions, planMode, ledger, pages, files.changes, todos, board, listeners, mcp],
      { endSession: hooks?.onSessionEnd },
    ],
  });
  const resolved = resolveSettings({
    registry,
    permissions,
    hooks,
    hookPrograms: { runner: shellHookRunner(shell.own, spill), cwd: files.plain.root },
    policy,
    planMode,
    rateLimiter,
    scrubber,
    retry,
    deadLetters,
    toolResolver: mcp?.resolver(toolResolver) ?? toolResolver,
    concurrency,
    outputStore: spill,
    places: files.plain,
    limits,
    turns: sessions.turns,
  });
  const settings: RunSettings = mcp === undefined ? resolved : { ...resolved, policy: mcp.policy(resolved.policy) };
  tasks.subscribe((event, owner) => listeners.tell(event, owner));
  const turns = new ToolkitTurns({
    settings,
    sessions,
    suspended: new SuspendedTurns({
      secret: options.suspensionSecret,
      ttlMs: options.suspensionTtlMs,
      store: hosts.suspensions ?? memorySuspensions(),
      root: files.plain.root,
    }),
    onEvent: options.onEvent,
    begins: (caller, onEvent) => {
      if (onEvent !== undefined) listeners.set(caller, onEvent);
      if (files.disk !== undefined) addDirectories(permissions, files.disk);
      files.changes?.beginTurn(caller);
    },
  });
  sessions.keep(turns);

  mcp?.start();

  let disposal: Promise<void> | undefined;
  const end = async () => {
    mcp?.dispose();
    await sessions.close('the toolkit was disposed');
    await disposeAll([tasks, shell, files, spill]);
  };
  const dispose = () => (disposal ??= end());
  return {
    registry,
    limits,
    files: toolkitFiles(files.plain, turns),
    definitions: (caller: Caller = defaultCaller) =>
      registry.definitions((tool) => (mcp?.isListed(tool, caller) ?? true) && isOffered(settings.policy, tool, caller)),
    execute: turns.execute.bind(turns) as Toolkit['execute'],
    resume: (suspension, answers, turn) => turns.resume(suspension, answers, turn),
    decide: (call, turn) => turns.decide(call, turn),
    call: (name, input, turn) => turns.call(name, input, turn),
    get planQueue() {
      return plan.queue;
    },
    planQueueOf: (caller = defaultCaller) => plan.of(caller).queue,
    runPlan: async (turn = {}) => {
      assertOptions('runPlan', turn, turnKinds);
      const { caller = defaultCaller, signal } = turn;
      await sessions.ending(caller.sessionId, signal);
      const own = plan.of(caller);
      own.exit();
      return await runPlan(own, (calls) => turns.runApproved(calls, turn));
    },
    todos: (caller = defaultCaller) =>
      readTodos({ todos, timeoutMs: limits.resolver.timeoutMs }, { caller, signal: new AbortController().signal }),
    mcpSummaries: (caller = defaultCaller) => mcp?.summaries(caller) ?? '',
    clearPlan: (caller = defaultCaller) => plan.of(caller).clear(),
    leftovers: (sessionId) => shell.leftovers(sessionId),
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

/** Ends what can be ended, one after the other; one that fails does not keep the others alive. */
async function disposeAll(resources: readonly object[]): Promise<void> {
  const failures: unknown[] = [];
  for (const resource of resources) {
    try {
      if ('dispose' in resource) await (resource as { dispose(): Promise<void> | void }).dispose();
    } catch (failure) {
      failures.push(failure);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some resources could not be disposed');
}
