import { resolve } from 'node:path';
import type { output } from 'zod/v4/core';
import { ToolError } from '../../core/error.js';
import { inputObject, text, withRule } from '../../core/schema/fields.js';
import { lazily } from '../../core/support/once.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import { parsePatch, patchPaths } from '../../editing/patch/parse.js';
import type { FileChanges } from '../../files/undo/change-log.js';
import { commitPatch } from '../content/commit-patch.js';
import type { FileChangeDependencies } from '../content/file-change-dependencies.js';
import { patchedPlace, planPatch } from '../content/plan-patch.js';
import { dependenciesOf } from '../support/factory-arguments.js';
import { pathFacts } from './path-facts.js';

const form =
  '*** Begin Patch, then for each file *** Add File: p, *** Delete File: p, or *** Update File: p (and *** Move to: q) ' +
  'with hunks: @@, optionally with a line from above the place, 3 lines of context, lines with - and +; *** End Patch';

const input = lazily(() =>
  inputObject({
    patch: withRule(
      text(form),
      (patch) => problemOf(patch) === undefined,
      (patch) => problemOf(patch) ?? '',
    ),
  }),
);

/** The dependencies of ApplyPatch. */
export interface ApplyPatchDependencies extends FileChangeDependencies {
  /** The record of changes; without it there is no undo. */
  readonly changes?: FileChanges | undefined;
}

/**
 * Changes several files at once by a patch in the format that OpenAI's models are trained on; either all files change
 * or none. `files` must not record changes; the tool records them in `changes` itself.
 */
export function applyPatchTool(dependencies: ApplyPatchDependencies): Tool<output<ReturnType<typeof input>>> {
  const { files } = dependenciesOf('applyPatchTool', dependencies, 'files', 'ledger', 'limits');
  const [found, named] = [pathFacts(files), pathFacts(files, 'exact')];
  const placesIn = (patch: string) =>
    patchPaths(parsePatch(patch)).map(({ path, isNew }) => ({
      path: patchedPlace(path, files.root),
      facts: isNew ? named : found,
    }));
  const targetsOf = async (patch: string) =>
    (await Promise.all(placesIn(patch).map(({ path, facts }) => facts.edits(path)))).flat();
  return Tool.define('ApplyPatch', {
    description: 'Change several files at once: all of them, or none. Paths are relative to the root.',
    input: input(),
    sideEffect: 'mutating',
    literalFields: ['patch'],
    title: ({ patch }) =>
      `ApplyPatch ${patchPaths(parsePatch(patch))
        .map(({ path }) => found.display(resolve(files.root, path)))
        .join(', ')}`,
    preview: ({ patch }) => patch,
    targets: ({ patch }) => targetsOf(patch),
    async footprint({ patch }) {
      const touched = (await targetsOf(patch)).flatMap((target) => ('path' in target ? [target.path] : []));
      return { reads: touched, writes: touched };
    },
    async verdict({ patch }) {
      const objections = await Promise.all(placesIn(patch).map(({ path, facts }) => facts.objection(path)));
      return objections.find((objection) => objection !== undefined);
    },
    async execute({ patch }, context): Promise<ToolResult> {
      try {
        const planned = await planPatch(parsePatch(patch), dependencies, context);
        return await commitPatch(planned, dependencies, context);
      } catch (thrown) {
        if (!ToolError.is(thrown)) throw thrown;
        const { code, message, metadata = {} } = thrown;
        const whole = metadata.written === true ? '' : ' Nothing of the patch was applied.';
        throw new ToolError(code, `${message}${whole}`, { cause: thrown, metadata });
      }
    },
  });
}

function problemOf(patch: string): string | undefined {
  try {
    parsePatch(patch);
    return undefined;
  } catch (thrown) {
    return ToolError.from(thrown).message;
  }
}
