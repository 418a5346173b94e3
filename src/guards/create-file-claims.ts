import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Caller } from '../core/context.js';
import {
  assertOptions,
  ifPossible,
  isRecord,
  kindOf,
  type OptionKind,
  type OptionKinds,
} from '../core/support/check-values.js';
import { builtinsThat, traitsOf } from '../core/tool-names.js';
import type { PostToolUseFailureEvent, PreToolUseAnswer, PreToolUseEvent, ToolHooks } from '../ports/hooks.js';

/** The files that agents have claimed for editing. */
export interface FileClaims {
  /**
   * Hooks that claim the files of each edit for the editing agent, and deny edits of files that another agent holds.
   * Put these hooks after all other hooks, because a later hook may still deny the call or rewrite it to another file.
   * If a call passes the hooks and never runs (rate limit, permission after a rewrite, abort), no further hook is
   * called for it. The claim of such a call stays until {@link FileClaims.release}.
   */
  readonly hooks: ToolHooks;
  /** Claims a file for an agent, unless another agent holds it. Resolves with the agent that now holds the file. */
  claim(path: string, caller: Caller): Promise<string>;
  /** Releases all files of an agent and returns their number. The hooks call it when a subagent of a toolkit ends. */
  release(caller: Caller): number;
  /** Holders by canonical path. */
  list(): ReadonlyMap<string, string>;
}

/** Options of {@link createFileClaims}. */
export interface FileClaimsOptions {
  /**
   * Exact names of the tools whose calls claim files. A call claims the files that its footprint lists in `writes`. If
   * `writes` is `'everything'`, the path is taken from the field `file_path`, `notebook_path` or `path` of the input.
   * Pass an object to name another field for each tool. Default: tools whose traits say that they edit or undo a file,
   * such as Write, Edit, NotebookEdit, ApplyPatch and UndoFile.
   */
  readonly tools?: readonly string[] | Readonly<Record<string, string>> | undefined;
  /** The canonical form of a path from `claim` or from an input. Default: absolute, with symlinks resolved. */
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
  /** Calls in progress that write the file. */
  readonly calls: Set<string>;
  /** True if the file was edited, or claimed by {@link FileClaims.claim}. A failed call then keeps the claim. */
  isKept: boolean;
}

/**
 * Prevents parallel agents from editing the same file. The first agent to edit a file holds it until {@link
 * FileClaims.release}. Edits by other agents are denied with the holder's name. Paths are canonical, so relative paths
 * and symlinks lead to the same claim. A failed edit releases the claim it made, unless the tool may have written. A
 * call that does not name its files, such as UndoTurn, is denied while another agent of the session holds a file.
 * Agents are distinguished by `caller.agentId`; the main agent is `main`. Known limitation: shell commands may write
 * claimed files.
 */
export function createFileClaims(options: FileClaimsOptions = {}): FileClaims {
  assertOptions('createFileClaims', options, kinds);
  const { tools, resolve: canonical = realPath } = options;
  /**
   * The path field of each named tool; undefined if the path is in the first of the usual fields that the input has.
   */
  const fieldsOf =
    tools &&
    new Map<string, string | undefined>(
      Array.isArray(tools) ? tools.map((name) => [name, undefined]) : Object.entries(tools),
    );
  const claims = new Map<string, Claim>();
  const claimFor = (path: string, holder: string): Claim => {
    const claim = claims.get(path) ?? { holder, calls: new Set(), isKept: false };
    claims.set(path, claim);
    return claim;
  };
  /** The files that a call writes; undefined for a call that does not name them. */
  const filesOf = async (event: PreToolUseEvent): Promise<readonly string[] | undefined> => {
    const { edits, undoes } = traitsOf(event);
    const isClaiming = fieldsOf?.has(event.tool) ?? (edits === true || undoes === 'file');
    const writes = event.footprint?.writes ?? 'everything';
    if (writes === 'nothing' || !(isClaiming || undoes === 'session')) return [];
    if (writes !== 'everything') return writes;
    if (undoes === 'session' || !isRecord(event.input)) return undefined;
    const field = fieldsOf?.get(event.tool);
    const { input } = event;
    const path = (field === undefined ? pathFields : [field]).map((name) => input[name]).find(isText);
    return path === undefined ? undefined : [await canonical(path)];
  };
  const before = async (event: PreToolUseEvent, caller: Caller): Promise<PreToolUseAnswer> => {
    const own = nameOf(caller);
    const files = await filesOf(event);
    const held = files ?? [...claims.keys()].filter((path) => isOfSession(claims.get(path), caller.sessionId));
    const path = held.find((path) => (claims.get(path)?.holder ?? own) !== own);
    if (path !== undefined) {
      const holder = shortName(claims.get(path)?.holder ?? '');
      const instead = files === undefined ? 'change single files' : 'work on another file';
      return {
        decision: 'deny',
        reason: `${path} is being edited by ${holder}; ${instead}, or wait until that agent has ended`,
      };
    }
    for (const path of files ?? []) claimFor(path, own).calls.add(event.callId);
    return {};
  };
  const after = async (event: PreToolUseEvent, caller: Caller, hasEdited: boolean): Promise<void> => {
    for (const path of (await filesOf(event)) ?? []) {
      const claim = claims.get(path);
      if (claim?.holder !== nameOf(caller) || !claim.calls.delete(event.callId)) continue;
      claim.isKept ||= hasEdited;
      if (!claim.isKept && claim.calls.size === 0) claims.delete(path);
    }
  };
  const releaseWhere = (isReleased: (claim: Claim) => boolean): number => {
    const released = [...claims].filter(([, claim]) => isReleased(claim));
    for (const [path] of released) claims.delete(path);
    return released.length;
  };
  const release = (caller: Caller): number => releaseWhere(({ holder }) => holder === nameOf(caller));
  const matcher =
    fieldsOf &&
    [...fieldsOf.keys(), ...builtinsThat(({ undoes }) => undoes === 'session')]
      .map((name) => name.replace(/[^\w-]/g, '\\$&'))
      .join('|');
  return {
    hooks: {
      PreToolUse: [{ matcher, hooks: [(event, scope) => before(event, scope.caller)] }],
      PostToolUse: [{ matcher, hooks: [(event, scope) => after(event, scope.caller, true)] }],
      PostToolUseFailure: [{ matcher, hooks: [(event, scope) => after(event, scope.caller, mayHaveWritten(event))] }],
      onAgentEnd: release,
      onSessionEnd: (sessionId) => void releaseWhere((claim) => isOfSession(claim, sessionId)),
    },
    claim: async (path, caller) => {
      const claim = claimFor(await canonical(path), nameOf(caller));
      claim.isKept ||= claim.holder === nameOf(caller);
      return shortName(claim.holder);
    },
    release,
    list: () => new Map([...claims].map(([path, { holder }]) => [path, shortName(holder)])),
  };
}

/** A tool that exceeded its time may still be running, and some errors say that the tool wrote before it failed. */
function mayHaveWritten({ error: { code, metadata } }: PostToolUseFailureEvent): boolean {
  return code === 'timeout' || code === 'interrupted' || metadata?.written === true;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

// Two sessions may have agents of the same name.
function nameOf({ sessionId, agentId = 'main' }: Caller): string {
  return `${sessionId}\0${agentId}`;
}

function isOfSession(claim: Claim | undefined, sessionId: string): boolean {
  return claim?.holder.startsWith(`${sessionId}\0`) === true;
}

function shortName(holder: string): string {
  return holder.slice(holder.indexOf('\0') + 1);
}

function realPath(given: string): string {
  // Not `resolve`, which removes `..` before links are followed and can thus give another path.
  const path = isAbsolute(given) ? given : `${process.cwd()}/${given}`;
  const parent = dirname(path);
  const ofNewFile = () => (parent === path ? path : join(realPath(parent), basename(path)));
  return ifPossible(() => realpathSync.native(path)) ?? ofNewFile();
}
