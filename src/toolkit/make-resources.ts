import { gitWorktrees } from '../agents/worktree.js';
import { DecidedQuestions } from '../call/given-answers.js';
import { Turns } from '../call/in-flight.js';
import { assertPlanMode } from '../call/run-options.js';
import type { Caller } from '../core/context.js';
import { defaultCaller } from '../core/context.js';
import { resolveLimits } from '../core/resolve-limits.js';
import { createPermissions } from '../permissions/create-permissions.js';
import { agentPermissions } from '../permissions/for-agent.js';
import { resolvePolicy } from '../permissions/policy.js';
import type { PermissionRequest, Permissions } from '../ports/permissions.js';
import { createScrubber } from '../secrets/scrubber.js';
import { createPlanMode } from '../sessions/create-plan-mode.js';
import { createTaskBoard } from '../sessions/create-task-board.js';
import { InMemoryConfigStore } from '../sessions/in-memory-config-store.js';
import { createTodoStore } from '../sessions/in-memory-todo-store.js';
import { sessionListeners } from '../sessions/listeners.js';
import { sessionPlan } from '../sessions/plan.js';
import { ReadLedger } from '../sessions/read-ledger.js';
import { SpillFolder } from '../sessions/spill-folder.js';
import { TaskManager } from '../sessions/task-manager.js';
import { guardShell } from '../shell/run/guarded-shell.js';
import { commandPaths, commandPolicy } from '../shell/run/paths-on-disk.js';
import type { KeptPage } from '../tools/web/fetch.js';
import { PageCache } from '../tools/web/page-cache.js';
import { createHttpClient } from '../web/fetch/create-http-client.js';
import type { ToolkitOptions } from './options.js';
import { ToolkitSessions } from './sessions.js';
import { WiredAgents } from './wire-agents.js';
import { wireFiles } from './wire-files.js';
import { WiredMcp } from './wire-mcp.js';
import { wireShell } from './wire-shell.js';

export type Resources = ReturnType<typeof makeResources>;

/**
 * The first stage of a toolkit: creates each resource from the options and earlier resources. A toolkit that `openIn`
 * creates shares the agents of the toolkit that opened it.
 */
export function makeResources(options: ToolkitOptions, shared?: WiredAgents) {
  const { hosts = {}, root, additionalRoots = [], timers } = options;
  const limits = resolveLimits(options.limits);
  const scrubber = options.scrubber ?? createScrubber({ values: hosts.search?.secrets?.() });
  const scrub = (text: string) => (scrubber === false ? text : scrubber.text(text));
  const listeners = sessionListeners(scrub, options.onEvent);
  const spill = new SpillFolder();
  const saveBytes = (bytes: Uint8Array) => spill.save(bytes);
  const turns = new Turns();
  const decided = new DecidedQuestions();
  const { planMode = createPlanMode(), permissions: given = 'default' } = options;
  assertPlanMode(planMode);
  const ownPermissions = typeof given === 'string' ? createPermissions({ mode: given, root }) : given;
  const plan = sessionPlan(planMode, ownPermissions, defaultCaller, turns);
  const files = wireFiles(options, { permissions: ownPermissions, spill, limits, scrub, listeners });
  const roots = () => files.disk?.roots ?? [files.root, ...additionalRoots];
  const shell = wireShell(options, { roots: [files.root, ...additionalRoots], spill, limits, scrubber });
  const paths = commandPaths({
    root: files.root,
    disk: files.disk,
    allowRecursiveDelete: options.shell?.allowRecursiveDeleteInside,
    folders: shell.folders,
    isHidden: (path) => files.hides(path, 'searches'),
  });
  const assess = commandPolicy(paths);
  const guarded = guardShell(shell.unguarded, assess);
  const tasks = new TaskManager({
    limits: limits.tasks,
    stopGraceMs: limits.bash.killGraceMs + limits.call.abortGraceMs,
    maxLogChars: limits.bash.maxFileBytes,
    timers,
    scrub,
  });
  tasks.subscribe((event, owner) => listeners.tell(event, owner));
  const policy =
    options.policy === undefined ? undefined : resolvePolicy(options.policy, { maxDepth: limits.subagents.maxDepth });
  const openWorktree = gitWorktrees(guarded, files.disk && files.root);
  const isEnding = (sessionId: string): boolean => sessions.ending(sessionId) !== undefined;
  const agents: WiredAgents =
    shared ?? new WiredAgents(options, { limits, scrub, tasks, turns, isEnding, policy, openWorktree });
  const hasAgents = hosts.subagents !== undefined || shared !== undefined;
  const permissions = hasAgents
    ? agentPermissions(ownPermissions, root, (caller) => agents.manager.lineOf(caller))
    : ownPermissions;
  const mcp =
    hosts.mcp &&
    new WiredMcp({
      ...{ client: hosts.mcp, hosts, scrubber, limits, saveBytes, images: hosts.images, roots },
      prefix: options.mcp?.prefix,
      tell: (update) => listeners.tellAll({ ...update, type: 'mcp-update' }),
    });
  const ledger = new ReadLedger(limits.read);
  const pages = new PageCache<KeptPage>(limits.web, timers);
  const todos = hosts.todos ?? createTodoStore();
  const board = options.features?.tasks === true ? (hosts.tasks ?? createTaskBoard()) : undefined;
  const config = hosts.config ?? new InMemoryConfigStore();
  const kept = [permissions, planMode, ledger, pages, files.changes, config, todos, board, decided];
  const sessions: ToolkitSessions = new ToolkitSessions(turns, {
    running: [...(shared === undefined ? [agents.notifications, agents] : []), tasks],
    shell,
    keepers: [...kept, listeners, mcp, { endSession: options.hooks?.onSessionEnd }],
    stores: [files, spill],
  });
  return {
    ...{ options, hosts, limits, scrubber, scrub, listeners, spill, saveBytes, sessions, decided, planMode },
    ...{ plan, permissions, policy, files, roots, shell, guarded, paths, assess, tasks, agents, hasAgents, mcp },
    ...{ ledger, pages, todos, board, config },
    /** Whether `openIn` of another toolkit created this toolkit. Both then share their agents. */
    isOpened: shared !== undefined,
    http: hosts.http ?? createHttpClient({ ...options.web, limits: limits.web, timers }),
    mayFollow: (tool: string, url: string, caller: Caller) => mayFollow(permissions, tool, url, caller),
  };
}

/**
 * Whether a fetch that was allowed may follow a redirect to another address without a further call. The fetch may not
 * follow if a rule denies the address or asks about it, or if only `check` can decide.
 */
function mayFollow(permissions: Permissions, tool: string, url: string, caller: Caller): boolean {
  const request: PermissionRequest = {
    callId: 'redirect',
    tool,
    input: { url },
    sideEffect: 'network',
    risk: 'high',
    title: tool,
    warnings: [],
    suggestions: [],
    targets: [{ kind: 'url', url }],
  };
  const decision = permissions.decide?.(request, caller);
  return decision?.behavior === 'allow' || (decision?.behavior === 'ask' && decision.question?.source === 'mode');
}
