import { createPermissions, type RulePermissions } from './access/create-permissions.js';
import { resolvePolicy } from './access/policy.js';
import { commandPolicy } from './command-policy.js';
import type { ToolCall } from './core/call.js';
import type { Caller } from './core/context.js';
import type { ToolEventListener } from './core/event.js';
import { resolveLimits } from './core/limits.js';
import { ToolRegistry } from './core/registry.js';
import type { Toolkit, TurnOptions } from './core/toolkit.js';
import { HostFiles } from './files/host-files.js';
import type { Permissions } from './host/permissions.js';
import { runTurn } from './pipeline/execute-tools.js';
import { resolveSettings } from './pipeline/settings.js';
import { shellHookRunner } from './shell/hook-runner.js';
import { createPlanMode } from './state/create-plan-mode.js';
import { ReadLedger } from './state/read-ledger.js';
import { SpillFolder } from './state/spill-folder.js';
import { TaskManager } from './state/tasks.js';
import { createScrubber } from './text/scrubber.js';
import { checkToolkitOptions, type ToolkitOptions } from './toolkit-options.js';
import { builtinTools } from './tools/builtin.js';
import { wireShell } from './wire-shell.js';

/**
 * Wires the built-in tools to a workspace. The one place where everything meets: resources, tools, runs.
 * Throws a TypeError for a mistake in the options: a root that is not absolute or does not exist, an unknown key, mode or limit.
 */
export function createToolkit(options: ToolkitOptions): Toolkit {
  checkToolkitOptions(options);
  const { hosts = {}, root, additionalRoots = [] } = options;

  const limits = resolveLimits(options.limits);
  const scrubber = options.scrubber ?? createScrubber();
  const permissions = resolvePermissions(options.permissions, root);
  const planMode = options.planMode ?? createPlanMode();
  const spill = new SpillFolder();
  const files =
    hosts.files ??
    new HostFiles({
      root,
      additionalRoots,
      relativePaths: options.relativePaths ?? 'reject',
      limits,
      isHidden: (path) => hidesPath(permissions, path, root),
      readOnlyRoots: () => (spill.path === undefined ? [] : [spill.path]),
    });
  const assess = commandPolicy(files instanceof HostFiles ? files : undefined, options.shell);
  const shell = wireShell({
    roots: [files.root, ...additionalRoots],
    spill,
    limits,
    scrubber,
    guard: assess,
    settings: options.shell ?? {},
    shell: hosts.shell,
    sandbox: options.sandbox,
  });
  const tasks = new TaskManager({ limits: limits.tasks, stopGraceMs: limits.call.abortGraceMs, maxLogChars: limits.bash.maxFileBytes });

  const registry = new ToolRegistry({ cwd: files.root });
  const tools = builtinTools({
    files,
    shell: shell.guarded,
    tasks,
    autoBackground: options.shell?.autoBackground ?? false,
    ledger: new ReadLedger(limits.read.hashMaxBytes),
    assess,
    readBeforeWrite: options.files?.readBeforeWrite ?? false,
    limits,
  });
  registry.register(...tools).allow('Read', 'Glob', 'Grep');

  const policy = resolvePolicy(options.policy ?? {}, { catalogue: registry, maxDepth: limits.subagents.maxDepth });
  const { hooks, rateLimiter, retry, deadLetters, toolResolver, concurrency } = options;
  const settings = resolveSettings({
    registry,
    permissions,
    hooks,
    hookPrograms: { runner: shellHookRunner(shell.own, spill), cwd: files.root },
    policy,
    planMode,
    rateLimiter,
    scrubber,
    retry,
    deadLetters,
    toolResolver,
    concurrency,
    outputStore: spill,
    limits,
  });
  let listener: ToolEventListener | undefined;
  tasks.subscribe((event) =>
    listener?.(event.type === 'task-update' && scrubber !== false ? { ...event, label: scrubber.text(event.label ?? '') } : event),
  );
  const execute = (calls: readonly ToolCall[], turn: TurnOptions = {}) => {
    listener = turn.onEvent ?? listener;
    return runTurn(calls, settings, turn);
  };

  let disposal: Promise<void> | undefined;
  const dispose = () => (disposal ??= disposeAll([tasks, shell, files, spill]));
  return {
    registry,
    definitions: (caller: Caller = { sessionId: 'default' }) =>
      options.policy === undefined && (caller.depth ?? 0) === 0
        ? registry.definitions()
        : registry.definitions((tool) => policy.offers(tool, caller)),
    execute,
    get planQueue() {
      return planMode.queue;
    },
    runPlan: (turn) => {
      const calls = planMode.queue.map(({ callId, tool, input }) => ({ id: callId, name: tool, input }));
      planMode.exit();
      planMode.clear();
      if (isRulePermissions(permissions) && permissions.mode === 'plan') permissions.setMode('default');
      return execute(calls, turn);
    },
    clearPlan: () => planMode.clear(),
    leftovers: () => shell.leftovers(),
    drainNotifications: () =>
      tasks.drainNotifications().map((news) => (scrubber === false ? news : { ...news, label: scrubber.text(news.label) })),
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

function resolvePermissions(permissions: ToolkitOptions['permissions'], root: string): Permissions {
  if (permissions === undefined || typeof permissions === 'string') return createPermissions({ mode: permissions ?? 'default', root });
  return permissions;
}

function isRulePermissions(permissions: Permissions): permissions is RulePermissions {
  return 'setMode' in permissions && 'hidesPath' in permissions;
}

function hidesPath(permissions: Permissions, path: string, root: string): boolean {
  return isRulePermissions(permissions) && permissions.hidesPath(path, root);
}

interface Disposable {
  dispose(): Promise<void> | void;
}

/** Ends what can be ended, one after the other; one that fails does not keep the others alive. */
async function disposeAll(resources: readonly object[]): Promise<void> {
  const failures: unknown[] = [];
  for (const resource of resources) {
    try {
      if ('dispose' in resource) await (resource as Disposable).dispose();
    } catch (failure) {
      failures.push(failure);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some resources could not be disposed');
}
