import { resolve } from 'node:path';
import type { Caller } from '../core/context.js';
import type { PreToolUseAnswer, PreToolUseEvent, ToolHooks } from '../host/hooks.js';

/** Which agent works on which file. */
export interface FileClaims {
  /** Claims the file of each edit for the agent that makes it, and denies edits of files that another agent holds. */
  readonly hooks: ToolHooks;
  /** Claims a file; answers the holder, which is somebody else when it was taken. */
  claim(path: string, caller: Caller): Promise<string>;
  /** Gives up everything an agent holds; call it when the agent has ended. Answers how many files that were. */
  release(caller: Caller): number;
  /** Holders by canonical path. */
  list(): ReadonlyMap<string, string>;
}

/** What {@link createFileClaims} works with. */
export interface FileClaimsOptions {
  /** The canonical form of a path. Default: absolute and without dots; give the file system's own where links matter. */
  readonly resolve?: ((path: string) => Promise<string> | string) | undefined;
  /** Tools whose calls claim, and the field with their path. Default: Write, Edit, NotebookEdit and UndoFile. */
  readonly tools?: Readonly<Record<string, string>> | undefined;
}

const editTools = { Write: 'file_path', Edit: 'file_path', NotebookEdit: 'notebook_path', UndoFile: 'file_path' };
/** It names no file, and takes back what every agent of the session did. */
const sessionTool = 'UndoTurn';

/**
 * Keeps sibling agents of one session out of each other's files: the first to edit a file holds it until {@link FileClaims.release},
 * and another's edit is denied with the holder's name. UndoTurn is denied as long as another agent of the session holds any file.
 * Agents are told apart by `caller.agentId`; the main agent is `main`.
 */
export function createFileClaims({ resolve: canonical = (path) => resolve(path), tools = editTools }: FileClaimsOptions = {}): FileClaims {
  const holders = new Map<string, string>();
  const fields = new Map(Object.entries(tools));
  const claim = async (path: string, caller: Caller): Promise<string> => {
    const key = await canonical(path);
    const holder = holders.get(key) ?? nameOf(caller);
    holders.set(key, holder);
    return holder;
  };
  const before = async ({ tool, input }: PreToolUseEvent, caller: Caller): Promise<PreToolUseAnswer> => {
    if (tool === sessionTool) return undoTurnAnswer(holders, caller);
    const path = textOf(input, fields.get(tool));
    if (path === undefined) return {};
    const holder = await claim(path, caller);
    if (holder === nameOf(caller)) return {};
    return {
      decision: 'deny',
      reason: `${path} is being edited by ${shortName(holder)}; work on another file, or wait until that agent has ended`,
    };
  };
  return {
    hooks: { PreToolUse: [{ hooks: [(event, scope) => before(event, scope.caller)] }] },
    claim,
    release: (caller) => {
      const own = [...holders].filter(([, holder]) => holder === nameOf(caller));
      for (const [path] of own) holders.delete(path);
      return own.length;
    },
    list: () => new Map([...holders].map(([path, holder]) => [path, shortName(holder)])),
  };
}

function undoTurnAnswer(holders: ReadonlyMap<string, string>, caller: Caller): PreToolUseAnswer {
  const own = nameOf(caller);
  const held = [...holders].find(([, holder]) => holder !== own && holder.startsWith(`${caller.sessionId}\0`));
  if (held === undefined) return {};
  const [path, holder] = held;
  return {
    decision: 'deny',
    reason: `${path} is being edited by ${shortName(holder)}; undo single files, or wait until that agent has ended`,
  };
}

// Two sessions may have agents of one name.
function nameOf({ sessionId, agentId = 'main' }: Caller): string {
  return `${sessionId}\0${agentId}`;
}

function shortName(holder: string): string {
  return holder.slice(holder.indexOf('\0') + 1);
}

function textOf(input: unknown, field: string | undefined): string | undefined {
  if (field === undefined || typeof input !== 'object' || input === null || !Object.hasOwn(input, field)) return undefined;
  const value: unknown = input[field as never];
  return typeof value === 'string' ? value : undefined;
}
