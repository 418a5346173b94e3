import { isDeepStrictEqual } from 'node:util';
import type { ToolCall } from '../core/call.js';
import { ToolError } from '../core/error.js';
import type { Footprint, Tool } from '../core/tool.js';
import type { PermissionRequest } from '../host/permissions.js';
import { authorize } from './authorize.js';
import { type Candidate, titleOf } from './candidate.js';
import { findTool } from './find-tool.js';
import { fireBefore } from './fire-hooks.js';
import { parseInput } from './parse-input.js';
import type { Run } from './run.js';

/**
 * Everything that may ask, refuse or rewrite, in the one right order: find, parse, wait for earlier calls that conflict,
 * plan mode, policy, permission, PreToolUse. One call at a time, so prompts never overlap. Throws the refusal.
 * An input that permission or a hook rewrites starts again at parsing: nothing runs that was not authorised as it runs.
 */
export async function prepareCall(call: ToolCall, context: string[], run: Run): Promise<Candidate> {
  run.assertLive();
  const tool = await findTool(call.name, run);
  const candidate = await admit(call, tool, call.input, undefined, run);
  if (run.settings.hooks.before.length === 0) return candidate;

  const { updatedInput } = await fireBefore(candidate, context, run);
  if (updatedInput === undefined || isDeepStrictEqual(updatedInput, candidate.input.raw)) return candidate;
  return await admit(call, tool, updatedInput, 'hook', run);
}

/** Parses, waits and authorises, again for each rewrite by permission, up to a limit. */
async function admit(
  call: ToolCall,
  tool: Tool,
  raw: unknown,
  rewrittenBy: PermissionRequest['rewrittenBy'],
  run: Run,
): Promise<Candidate> {
  const { maxRewrites } = run.settings.limits.call;
  let by = rewrittenBy;
  let latest = raw;
  for (let rewrites = 0; rewrites <= maxRewrites; rewrites++) {
    const candidate = await stage(call, tool, latest, run);
    const { updatedInput } = await authorize(candidate, by, run);
    run.assertLive();
    if (updatedInput === undefined || isDeepStrictEqual(updatedInput, candidate.input.raw)) return candidate;
    by = 'permission';
    latest = updatedInput;
  }
  throw new ToolError('permission_denied', `Permission rewrote the input more than ${maxRewrites} times without letting it run.`);
}

async function stage(call: ToolCall, tool: Tool, raw: unknown, run: Run): Promise<Candidate> {
  const input = await run.expect('The schema of the tool', () => parseInput(tool, raw, run.settings.limits.call));
  const footprint = await run.expect('The footprint of the tool', (scope) => tool.footprintOf(input.parsed, scope));
  if (!isTouched(footprint?.reads) || !isTouched(footprint?.writes))
    throw new ToolError('execution_failed', `The footprint of ${tool.name} must be { reads, writes }.`);
  if (run.inFlight.obstacle(footprint) !== undefined) await waitForTurn(footprint, run);
  return { call, tool, input, footprint, title: titleOf(tool, input, run) };
}

/** Waits until no running call conflicts. It comes before permission, so a prompt shows the world as it will be. */
async function waitForTurn(footprint: Footprint, run: Run): Promise<void> {
  for (let obstacle = run.inFlight.obstacle(footprint); obstacle !== undefined; obstacle = run.inFlight.obstacle(footprint)) {
    await obstacle;
    run.assertLive();
  }
}

function isTouched(value: unknown): boolean {
  return value === 'nothing' || value === 'everything' || (Array.isArray(value) && value.every((key) => typeof key === 'string'));
}
