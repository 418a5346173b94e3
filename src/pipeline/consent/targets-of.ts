import { targetsOf as fieldTargets } from '../../access/rules/targets.js';
import type { CallScope } from '../../core/context.js';
import type { Target } from '../../core/tool.js';
import type { PreparedCall } from '../run/prepared-call.js';
import type { Run } from '../run/run.js';

/** What a call acts on; undefined where neither the tool nor its name says. */
export type Targets = readonly Target[] | undefined;

/**
 * What the tool says it acts on; of one that does not say, what its fields say where it goes by the name of a built-in
 * tool.
 */
export async function targetsOf({ tool, input, assessment }: PreparedCall, run: Run): Promise<Targets> {
  const { places } = run.settings;
  const { targets: declared } = assessment;
  // Where there is no workspace, permissions know from where relative paths are taken.
  if (places === undefined) return declared;
  const named = declared ?? fieldTargets({ targets: undefined, tool: tool.name, input: input.raw }, places.root);
  if (!named.some(isUnplaced)) return named;
  return await run.expect('The file system', (scope) => Promise.all(named.map((target) => place(target, run, scope))));
}

type FileTarget = Target & { readonly kind: 'read' | 'edit' };

/** A path that a tool named without looking where it leads, or to change it without saying whether it is inside. */
function isUnplaced(target: Target): target is FileTarget {
  if (target.kind === 'edit') return target.root === undefined || target.isInside === undefined;
  return target.kind === 'read' && target.root === undefined;
}

/** Rules are matched against real paths, whoever wrote the tool. A path that leads nowhere inside stays as it is. */
async function place(target: Target, run: Run, scope: CallScope): Promise<Target> {
  const { places } = run.settings;
  if (places === undefined || !isUnplaced(target)) return target;
  const path = await places.resolve(target.path, scope).catch(() => undefined);
  const isInside = path !== undefined;
  if (target.root !== undefined) return { ...target, isInside };
  return {
    kind: target.kind,
    path: path ?? target.path,
    given: target.given ?? target.path,
    root: places.root,
    isInside,
  };
}
