import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Caller } from '../core/context.js';
import { isRecord } from '../core/support/is-record.js';
import { assertOptions, kindOf, type OptionKind, type OptionKinds } from '../core/support/option-kinds.js';
import { builtinsThat, traitsOf } from '../core/tool-names.js';
import type { PostToolUseFailureEvent, PreToolUseAnswer, PreToolUseEvent, ToolHooks } from '../ports/hooks.js';
import { touchedBy } from './call-footprint.js';

/** Which agent works on which file. */
export interface FileClaims {
  /**
   * Claims what an edit writes for the agent that makes it, and denies edits of files that another agent holds. They
   * belong behind all other hooks: one behind them may still send the call to another file, or deny it. Hooks are not
   * told of a call that they let through and that never runs (refused by the rate limiter, by a hook behind them, or by
   * permissions after a hook has rewritten it, or aborted before it starts): its claim stands until {@link
   * FileClaims.release}.
   */
  readonly hooks: ToolHooks;
  /** Claims a file; answers the holder, which is somebody else when it was taken. */
  claim(path: string, caller: Caller): Promise<string>;
  /**
   * Gives up everything an agent holds; answers how many files that were. The hooks do it where a subagent of a toolkit
   * ends.
   */
  release(caller: Caller): number;
  /** Holders by canonical path. */
  list(): ReadonlyMap<string, string>;
}

/** What {@link createFileClaims} works with. */
export interface FileClaimsOptions {
  /**
   * Exact names of the tools whose calls claim the files in `writes` of their footprint; where that is everything, the
   * one in the input's field `file_path`, `notebook_path` or `path`. An object names the tools with a field of their
   * own for that. Default: those whose traits say that they edit or take back a file, as Write, Edit, NotebookEdit,
   * ApplyPatch and UndoFile do.
   */
  readonly tools?: readonly string[] | Readonly<Record<string, string>> | undefined;
  /**
   * The canonical form of a path that is claimed by hand or stands in a field. Default: absolute, with links followed
   * as far as it exists.
   */
  readonly resolve?: ((path: string) => Promise<string> | string) | undefined;
}

const toolNames: OptionKind = {
  takes: 'a list of names, or an object of fields by name',
  holds: (value) =>
    kindOf.texts.holds(value) || (kindOf.record.holds(value) && Object.values(value as object).every(isText)),
};
const kinds: OptionKinds<FileClaimsOptions> = { tools: toolNames, resolve: kindOf.callback };
const pathFields = ['file_path', 'notebook_path', 'path'];

interface Claim {
  readonly holder: string;
  /** Calls that would edit the file and have not ended. */
  readonly calls: Set<string>;
  /** Whether the file has been edited, or claimed by hand. */
  isKept: boolean;
}

/**
 * Keeps sibling agents out of each other's files: the first to edit a file holds it until {@link FileClaims.release},
 * and another's edit is denied with the holder's name. Paths are the canonical ones of the toolkit, so no relative path
 * and no link leads past a claim. An edit that fails and surely wrote nothing gives back the claim it made; one that
 * ran out of time, was interrupted or says that it has written keeps it. A call that does not name its files, such as
 * UndoTurn, is denied as long as another agent of the session holds any. Shell commands are not held. Agents are told
 * apart by `caller.agentId`; the main agent is `main`.
 */
export function createFileClaims(options: FileClaimsOptions = {}): FileClaims {
  assertOptions('createFileClaims', options, kinds);
  const { tools, resolve: canonical = realPath } = options;
  const names: readonly string[] | undefined = tools === undefined || Array.isArray(tools) ? tools : Object.keys(tools);
  const fields = new Map(names === tools ? [] : Object.entries(tools ?? {}));
  /** Whether the files of a call are claimed. One that takes back what all agents did may write any of them. */
  const isClaimed = (event: PreToolUseEvent): boolean => {
    const { edits, undoes } = traitsOf(event);
    return undoes === 'session' || (names?.includes(event.tool) ?? (edits === true || undoes === 'file'));
  };
  const claims = new Map<string, Claim>();
  const claimFor = (path: string, holder: string): Claim => {
    const claim = claims.get(path) ?? { holder, calls: new Set(), isKept: false };
    claims.set(path, claim);
    return claim;
  };
  /** The files that a call writes; undefined where it does not name them. */
  const filesOf = async (event: PreToolUseEvent): Promise<readonly string[] | undefined> => {
    if (!isClaimed(event)) return [];
    const { writes } = touchedBy(event);
    if (typeof writes !== 'string') return writes;
    if (writes === 'nothing') return [];
    const field = fields.get(event.tool);
    const isOfSession = traitsOf(event).undoes === 'session';
    const named = isOfSession ? undefined : textIn(event.input, field === undefined ? pathFields : [field]);
    return named === undefined ? undefined : [await canonical(named)];
  };
  const before = async (event: PreToolUseEvent, caller: Caller): Promise<PreToolUseAnswer> => {
    const own = nameOf(caller);
    const files = await filesOf(event);
    if (files === undefined) return denialOfAll(claims, own, caller.sessionId);
    for (const path of files) {
      const holder = claims.get(path)?.holder ?? own;
      if (holder !== own) return denial(path, holder, 'work on another file');
    }
    for (const path of files) claimFor(path, own).calls.add(event.callId);
    return {};
  };
  const after = async (event: PreToolUseEvent, caller: Caller, hasEdited: boolean): Promise<void> => {
    const { callId } = event;
    for (const path of (await filesOf(event)) ?? []) {
      const claim = claims.get(path);
      if (claim?.holder !== nameOf(caller) || !claim.calls.delete(callId)) continue;
      claim.isKept ||= hasEdited;
      if (!claim.isKept && claim.calls.size === 0) claims.delete(path);
    }
  };
  const release = (caller: Caller): number => {
    const own = [...claims].filter(([, { holder }]) => holder === nameOf(caller));
    for (const [path] of own) claims.delete(path);
    return own.length;
  };
  const matcher =
    names &&
    [...names, ...builtinsThat(({ undoes }) => undoes === 'session')]
      .map((name) => name.replace(/[^\w-]/g, '\\$&'))
      .join('|');
  return {
    hooks: {
      PreToolUse: [{ matcher, hooks: [(event, scope) => before(event, scope.caller)] }],
      PostToolUse: [{ matcher, hooks: [(event, scope) => after(event, scope.caller, true)] }],
      PostToolUseFailure: [{ matcher, hooks: [(event, scope) => after(event, scope.caller, mayHaveWritten(event))] }],
      onAgentEnd: release,
      onSessionEnd: (sessionId) => {
        for (const [path, { holder }] of claims) if (holder.startsWith(`${sessionId}\0`)) claims.delete(path);
      },
    },
    claim: async (path, caller) => {
      const claim = claimFor(await canonical(path), nameOf(caller));
      claim.isKept ||= claim.holder === nameOf(caller);
      return claim.holder;
    },
    release,
    list: () => new Map([...claims].map(([path, { holder }]) => [path, shortName(holder)])),
  };
}

/** A tool that was given up may still be at work, and one that says so has written before it failed. */
function mayHaveWritten({ error: { code, metadata } }: PostToolUseFailureEvent): boolean {
  return code === 'timeout' || code === 'interrupted' || metadata?.written === true;
}

/** The first text among some fields of an input. */
function textIn(input: unknown, names: readonly string[]): string | undefined {
  if (!isRecord(input)) return undefined;
  const found = names.map((name) => input[name]);
  return found.find((value) => isText(value));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function denialOfAll(claims: ReadonlyMap<string, Claim>, own: string, sessionId: string): PreToolUseAnswer {
  for (const [path, { holder }] of claims) {
    if (holder !== own && holder.startsWith(`${sessionId}\0`)) return denial(path, holder, 'change single files');
  }
  return {};
}

function denial(path: string, holder: string, instead: string): PreToolUseAnswer {
  return {
    decision: 'deny',
    reason: `${path} is being edited by ${shortName(holder)}; ${instead}, or wait until that agent has ended`,
  };
}

// Two sessions may have agents of one name.
function nameOf({ sessionId, agentId = 'main' }: Caller): string {
  return `${sessionId}\0${agentId}`;
}

function shortName(holder: string): string {
  return holder.slice(holder.indexOf('\0') + 1);
}

function realPath(given: string): string {
  const path = resolve(given);
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
