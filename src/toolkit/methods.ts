import { format, parse } from 'node:path';
import { turnKinds } from '../call/run-options.js';
import { ruleNames } from '../core/builtin-tool-facts.js';
import type { ToolCallSuccess } from '../core/call.js';
import type { Caller } from '../core/context.js';
import { defaultCaller } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { FileContent, Toolkit, ToolkitFiles } from '../core/registry/toolkit.js';
import type { TurnOptions } from '../core/registry/turn-options.js';
import { assertOptions, kindOf } from '../core/support/check-values.js';
import type { Tool } from '../core/tool.js';
import { isOffered } from '../ports/policy.js';
import { runPlan } from '../sessions/plan.js';
import { readTodos } from '../tools/planning/todo-tools.js';
import { isUnconfigured } from '../tools/support/unconfigured-tool.js';
import { instructionsOf } from './instructions.js';
import type { Resources } from './make-resources.js';
import type { Tools } from './make-tools.js';
import { ToolkitTurns, type TurnParts } from './make-turns.js';
import type { WiredFiles } from './wire-files.js';

/** Builds the public interface of a toolkit from its stages. `openIn` creates a toolkit for another folder. */
export function toolkitOf(
  resources: Resources,
  { registry }: Tools,
  { settings, registryOf, turns }: TurnParts,
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
    const own = (await registryOf?.({ caller: by, signal })) ?? registry;
    return own.definitions(offeredTo(by));
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
    drainNotifications: () => tasks.drainNotifications().map((task) => ({ ...task, label: scrub(task.label) })),
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
  return toolkit;
}

const maxSameNames = 1_000;

/**
 * The files of a toolkit, for programs. `list` and `read` make Glob and Read calls that pass all stages of a turn, but
 * without the limits of these tools. `create` writes a new file. UndoFile and UndoTurn can undo it, because `create`
 * writes through `tracked`. Call this function while the registry still holds the built-in tools.
 */
function toolkitFiles(wired: Pick<WiredFiles, 'plain' | 'tracked'>, { parts }: ToolkitTurns): ToolkitFiles {
  const { plain: files, tracked } = wired;
  const { registry, limits, permissions } = parts.settings;
  const builtin = registry.snapshot();
  const unbounded = { ...parts.settings, limits: { ...limits, output: { ...limits.output, maxTurnChars: 0 } } };
  const call = async (which: 'glob' | 'read', input: object, turn: TurnOptions = {}): Promise<ToolCallSuccess> => {
    const { wholeFilesTools } = await import('../tools/files/whole-files.js');
    const view = registry.clone();
    const tools = wholeFilesTools(files, limits);
    for (const tool of Object.values(tools)) {
      if (registry.get(tool.name) !== builtin.get(tool.name))
        throw new ToolError(
          'not_configured',
          `${tool.name} was replaced by another tool: call that tool, not toolkit.files.`,
        );
      view.unregister(tool.name);
      view.register(tool);
      if (registry.isAllowed(tool.name)) view.allow(tool.name);
      if (registry.isDisabled(tool.name)) view.disable(tool.name);
    }
    const turns = new ToolkitTurns({ ...parts, settings: unbounded, registryOf: () => view });
    const result = await turns.call(tools[which].name, input, turn);
    if (!result.ok) throw result.error;
    return result;
  };
  return {
    root: files.root,
    async list(turn) {
      const paths = new Set<string>();
      for (const path of files.roots ?? [files.root]) {
        const { output } = await call('glob', { pattern: '**/*', path }, turn);
        for (const found of JSON.parse(output) as readonly string[])
          if (permissions.hidesPath?.(found, files.root, 'searches') !== true) paths.add(found);
      }
      return [...paths].sort().slice(0, limits.glob.maxListed);
    },
    async read(path, turn): Promise<FileContent> {
      const { output, metadata = {}, attachments: [attachment] = [] } = await call('read', { file_path: path }, turn);
      if (attachment !== undefined) return { mediaType: attachment.mediaType, data: attachment.data };
      return { mediaType: String(metadata.mediaType), text: output };
    },
    async create(path, bytes, { caller = defaultCaller, signal = AbortSignal.any([]) } = {}) {
      const { root, dir, name, ext } = parse(path);
      for (let number = 1; number <= maxSameNames; number += 1) {
        const free = number === 1 ? path : format({ root, dir, base: `${name}-${number}${ext}` });
        const asNew = (current: unknown) => (current === undefined ? { slices: [bytes] } : undefined);
        const made = await tracked.update(free, asNew, { caller, signal }, 'exact');
        if (made !== undefined) return made.path;
      }
      throw new ToolError('limit_reached', `${maxSameNames} files are named like ${path}. Remove some.`);
    },
  };
}
