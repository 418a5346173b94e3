import { gitWorktrees } from '../agents/worktree.js';
import { checkRules } from '../call/rule-warnings.js';
import { assertPlanMode, type RunSettings, resolveSettings } from '../call/run/settings.js';
import { ruleNames } from '../core/builtin-tools.js';
import type { Caller } from '../core/context.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { resolveLimits } from '../core/resolve-limits.js';
import { disposeAll } from '../core/support/dispose-all.js';
import { builtinsThat } from '../core/tool-names.js';
import type { RulePermissions } from '../permissions/create-permissions.js';
import { mayFollow } from '../permissions/may-follow.js';
import { isOffered } from '../permissions/policy/policy.js';
import { createScrubber } from '../secrets/scrubber.js';
import { createPlanMode } from '../sessions/planning/create-plan-mode.js';
import { createTaskBoard } from '../sessions/planning/create-task-board.js';
import { createTodoStore } from '../sessions/planning/create-todo-store.js';
import { InMemoryConfigStore } from '../sessions/planning/in-memory-config-store.js';
import { ReadLedger } from '../sessions/read-ledger.js';
import { SpillFolder } from '../sessions/spill-folder.js';
import { memorySuspensions } from '../sessions/suspensions/memory-suspensions.js';
import { TaskListeners } from '../sessions/tasks/listeners.js';
import { TaskManager } from '../sessions/tasks/tasks.js';
import { shellHookRunner } from '../shell/run/hook-runner.js';
import { type BuiltinDependencies, builtinTools } from '../tools/builtin.js';
import { syntaxChecker } from '../tools/content/syntax-check.js';
import { withoutRoot } from '../tools/support/without-root.js';
import { lendResources } from '../tools/toolkit-resources.js';
import type { KeptPage } from '../tools/web/web-fetch.js';
import { createHttpClient } from '../web/fetch/create-http-client.js';
import { PageCache } from '../web/fetch/page-cache.js';
import { agentPermissions } from './agent-permissions.js';
import { AttachedParts } from './attached-parts.js';
import { CallerRegistries } from './caller-registries.js';
import { commandPaths, commandPolicy } from './command-paths.js';
import { SuspendedTurns } from './suspended-turns.js';
import { ToolRegistry } from './tool-registry.js';
import { instructionsOf } from './toolkit-instructions.js';
import { toolkitOf } from './toolkit-of.js';
import { checkToolkitOptions, type ToolkitOptions } from './toolkit-options.js';
import { ToolkitSessions } from './toolkit-sessions.js';
import { defaultCaller, ToolkitTurns } from './toolkit-turns.js';
import { optionsIn, WiredAgents } from './wire-agents.js';
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
  return wireToolkit(options);
}

/** The toolkit of `options`; one that was opened from another shares the agents of that. */
function wireToolkit(options: ToolkitOptions, shared?: WiredAgents): Toolkit {
  checkToolkitOptions(options);
  const { hosts = {}, root, additionalRoots = [], timers } = options;
  const limits = resolveLimits(options.limits);
  const scrubber = options.scrubber ?? createScrubber({ values: hosts.search?.secrets?.() });
  const saveBytes = (bytes: Uint8Array) => spill.save(bytes);
  const ownPermissions = resolvePermissions(options.permissions, root);
  const hasAgents = hosts.subagents !== undefined || shared !== undefined;
  const permissions = hasAgents
    ? agentPermissions(ownPermissions, root, (caller) => agents.manager.lineOf(caller))
    : ownPermissions;
  const hidesPath: RulePermissions['hidesPath'] = (path, start, from = 'everything') =>
    permissions.hidesPath?.(path, start, from) === true;
  const { planMode = createPlanMode() } = options;
  assertPlanMode(planMode);
  const plan = new WiredPlan(planMode, permissions, defaultCaller, () => sessions.turns.sessions());
  const spill = new SpillFolder();
  const files = wireFiles(options, { hidesPath }, spill, limits, scrubber, (path, { caller }) =>
    listeners.tell({ type: 'files-changed', paths: [path] }, caller),
  );
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
    timers,
  });
  const ledger = new ReadLedger(limits.read);
  const tasks = new TaskManager({
    limits: limits.tasks,
    stopGraceMs: limits.bash.killGraceMs + limits.call.abortGraceMs,
    maxLogChars: limits.bash.maxFileBytes,
    timers,
    scrub: scrubber === false ? undefined : (text) => scrubber.text(text),
  });
  const agents: WiredAgents =
    shared ??
    new WiredAgents({
      ...{ subagents: hosts.subagents, limits, tasks, timers, hooks: options.hooks },
      definitions: (caller, signal) => toolkit.definitionsFor(caller, signal),
      openWorktree: gitWorktrees(shell.guarded, files.disk === undefined ? undefined : files.plain.root),
      turns: () => sessions.turns,
      policy: () => resolved.policy,
      talk: { options, limits, scrubber, isEnding: (sessionId) => sessions.ending(sessionId) !== undefined },
    });
  const attached = new AttachedParts();
  const running = shared === undefined ? [attached, agents.talk, agents, tasks] : [attached, tasks];
  const pages = new PageCache<KeptPage>(limits.web, timers);
  const todos = hosts.todos ?? createTodoStore();
  const board = options.features?.tasks === true ? (hosts.tasks ?? createTaskBoard()) : undefined;
  const config = hosts.config ?? new InMemoryConfigStore();
  const followed = (tool: string, url: string, caller: Caller) => mayFollow(permissions, tool, url, caller);
  const resources: BuiltinDependencies = {
    files: files.plain,
    tracked: files.tracked,
    changes: files.changes,
    syntax: options.files?.syntaxCheck === true ? syntaxChecker() : undefined,
    documents: hosts.documents,
    images: hosts.images,
    http: hosts.http ?? createHttpClient({ ...options.web, limits: limits.web, timers }),
    mayFollow: followed,
    pages,
    search: hosts.search,
    summarizer: hosts.summarizer,
    namesUnchanged: options.files?.namesUnchanged ?? false,
    shell: files.noting(shell.guarded),
    deadline: shell.deadline,
    timers,
    tasks,
    autoBackground: options.shell?.autoBackground ?? false,
    interactive: options.shell?.interactive ?? false,
    keepsFolder: options.shell?.cwdPersists ?? false,
    ledger,
    assess,
    paths,
    readBeforeWrite: options.files?.readBeforeWrite ?? false,
    planMode: plan,
    userInput: hosts.userInput,
    config,
    learn: scrubber === false ? undefined : (secret) => scrubber.learn?.([secret]),
    todos,
    tell: (event, owner) => listeners.tell(event, owner),
    onTodos: (written, { sessionId, agentId }) => {
      const owner = { sessionId, ...(agentId === undefined ? {} : { agentId }) };
      listeners.tell({ type: 'todo-update', todos: written, ...owner }, owner);
    },
    board,
    agents: agents.manager,
    hasAgents,
    hasTeamAgents: hasAgents || hosts.teams !== undefined,
    teams: agents.talk.teams,
    sessions: agents.talk.sessions,
    mcp: { client: hosts.mcp, saveBytes, catalogue: hosts.mcp && (() => (mcp as WiredMcp).catalogue) },
    applyPatch: options.features?.applyPatch === true || options.features?.native === true,
    native: options.features?.native === true ? { endSession: (id) => shell.endSession(id) } : undefined,
    shown: options.relativePaths === 'resolve' ? withoutRoot(files.plain.root) : undefined,
    limits,
    secretOf: scrubber === false ? undefined : scrubber.secretOf,
    scrub: scrubber === false ? false : (text) => scrubber.text(text),
  };
  const tools = builtinTools(resources);
  const registry = new ToolRegistry({ cwd: files.plain.root, builtin: tools });
  registry.allow(...builtinsThat(({ isAutoAllowed }) => isAutoAllowed));
  if (hasRules(permissions)) permissions.checkNames?.(registry);

  const { policy, hooks, rateLimiter, retry, deadLetters, toolResolver, concurrency } = options;
  const roots = () => files.disk?.roots ?? [files.plain.root, ...additionalRoots];
  const listeners = new TaskListeners(scrubber, options.onEvent);
  const mcp: WiredMcp | undefined =
    hosts.mcp &&
    new WiredMcp({
      ...{ client: hosts.mcp, hosts, registry, scrubber, limits, saveBytes, images: hosts.images },
      prefix: options.mcp?.prefix,
      roots,
      offers: (tool, caller) => isOffered(settings.policy, tool, caller),
      tell: (update) => listeners.tellAll({ ...update, type: 'mcp-update' }),
    });
  const sessions = new ToolkitSessions({
    tasks: {
      endSession: async (sessionId) => {
        for (const one of running) await one.endSession(sessionId);
      },
    },
    shell,
    keepers: [
      ...[permissions, planMode, ledger, pages, files.changes, config, todos, board, listeners, mcp],
      shared === undefined ? agents.talk : undefined,
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
    timers,
    turns: sessions.turns,
  });
  const granted = mcp?.policy(resolved.policy) ?? resolved.policy;
  const settings: RunSettings = { ...resolved, policy: hasAgents ? agents.policy(granted) : granted };
  tasks.subscribe((event, owner) => listeners.tell(event, owner));
  const registries = new CallerRegistries({
    ...{ registry, registryFor: options.registryFor, toolkit: () => toolkit, timers },
    timeoutMs: limits.resolver.timeoutMs,
    ownerOf: (caller) => agents.manager.lineOf(caller).at(-1)?.parent ?? caller,
    tell: (event, owner) => listeners.tell(event, owner),
  });
  const turns = new ToolkitTurns({
    ...{ settings, registries },
    sessions,
    suspended: new SuspendedTurns({
      secret: options.suspensionSecret,
      ttlMs: options.suspensionTtlMs,
      store: hosts.suspensions ?? memorySuspensions(),
      root: files.plain.root,
    }),
    onEvent: options.onEvent,
    talk: agents.talk,
    begins: (caller, onEvent) => {
      if (onEvent !== undefined) listeners.set(caller, onEvent);
      if (files.disk !== undefined) addDirectories(permissions, files.disk);
      files.changes?.beginTurn(caller);
    },
    checks: (own) => {
      // One over another folder does not have the tools that the host registered in this one.
      if (shared !== undefined) return;
      const mayCome = toolResolver !== undefined || options.registryFor !== undefined;
      const known = { registry: own, mcp: hosts.mcp, mayCome, roots: [root, ...additionalRoots, ...roots()] };
      checkRules(resolved, known, (warning) => listeners.tellAll(warning));
    },
  });
  sessions.keep(turns);

  let disposal: Promise<void> | undefined;
  const end = async () => {
    mcp?.dispose();
    agents.drop(toolkit);
    await sessions.close('the toolkit was disposed');
    await disposeAll([...running, shell, files, spill]);
  };
  const toolkit: Toolkit = toolkitOf({
    ...{ registry, registries, settings, files: files.plain, turns, sessions, plan, mcp, agents, shell, tasks },
    ...{ todos, scrubber },
    tracked: files.tracked,
    instructions: (offered) =>
      instructionsOf({
        ...{ root: files.plain.root, additionalRoots, offered },
        paths: options.relativePaths ?? 'reject',
      }),
    offersAll: options.features?.offerAll === true,
    mayVisit: (url, caller) => followed(ruleNames.url, url, caller),
    attach: (part) => attached.attach(part),
    recorded: files.recorded,
    openIn: (folder) => agents.keep(wireToolkit(optionsIn(folder, options), agents)),
    dispose: () => (disposal ??= end()),
  });
  lendResources(toolkit, resources);
  if (shared === undefined) agents.connect(toolkit);
  mcp?.start();
  return toolkit;
}
