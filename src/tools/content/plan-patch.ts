import type { ToolContext } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { Pause } from '../../core/support/event-loop-yield.js';
import { encodingOf } from '../../editing/encodings/detect.js';
import { type FilePatch, namedTwice, type PatchHunk } from '../../editing/patch/parse.js';
import { planHunks } from '../../editing/patch/plan-hunks.js';
import type { EditTier } from '../../editing/plan-edit.js';
import { absolutePath } from '../../files/paths/syntax.js';
import { seeFile } from '../../files/undo/revert-change.js';
import type { FileChangeDependencies } from './file-change-dependencies.js';
import { currentBytes, notAsRead, refuseBrokenText } from './file-change-steps.js';
import { planRewrite } from './plan-rewrite.js';

/** A file as it was when the change was planned. */
export interface PlannedSource {
  readonly path: string;
  readonly bytes: Buffer;
  readonly mode: number;
}

/** The planned change of one file. */
export interface PlannedFile {
  /** The path in the patch, made absolute. */
  readonly given: string;
  readonly source: PlannedSource | undefined;
  /** The new path and content; undefined for a file that the patch deletes. */
  readonly target: { readonly path: string; readonly slices: readonly Buffer[] } | undefined;
  readonly tiers: readonly EditTier[];
  /** Whether the file had changed since the caller saw it. */
  readonly isStale: boolean;
}

/**
 * Computes the new content of each file of a patch and writes nothing. Throws the error of the first file that cannot
 * be changed, such as `invalid_input` if the patch names a file twice (also through a link), or adds an existing file.
 */
export async function planPatch(
  patch: readonly FilePatch[],
  dependencies: FileChangeDependencies,
  context: ToolContext,
): Promise<readonly PlannedFile[]> {
  const paths = new Set<string>();

  async function plan(file: FilePatch): Promise<PlannedFile> {
    const given = patchedPlace(file.path, dependencies.files.root);
    if (file.kind === 'add') {
      const path = await newPath(given);
      refuseBrokenText(file.content, 'patch');
      const { slices } = planRewrite({ path, before: undefined }, file.content, dependencies);
      return { given, source: undefined, target: { path, slices }, tiers: [], isStale: false };
    }
    const { source, isStale } = await seen(given, file.kind === 'delete');
    if (file.kind === 'delete') return { given, source, target: undefined, tiers: [], isStale };
    const path = file.moveTo === undefined ? source.path : await newPath(file.moveTo);
    const { bytes, tiers } = await changed(source, file.hunks, isStale);
    if (path === source.path && bytes.equals(source.bytes))
      throw new ToolError('no_change', `The patch leaves ${source.path} unchanged; remove the file from the patch.`);
    return { given, source, target: { path, slices: [bytes] }, tiers, isStale };
  }

  async function seen(given: string, isDeleted: boolean): Promise<{ source: PlannedSource; isStale: boolean }> {
    const { files, limits, ledger, readBeforeWrite = false } = dependencies;
    const { source, state } = await seeFile(files, given, context, async (current) => {
      const bytes = await currentBytes(current, given, files, limits.maxFileBytes, context);
      const { path = given, version = '', mode = 0 } = current?.stat ?? {};
      const compared = ledger.compare(context.caller, path, version, bytes);
      return { source: { path, bytes, mode }, state: compared };
    });
    if (state !== 'fresh' && (readBeforeWrite || (isDeleted && state === 'stale'))) throw notAsRead(source.path, state);
    nameOnce(source.path);
    return { source, isStale: state === 'stale' };
  }

  async function changed(source: PlannedSource, hunks: readonly PatchHunk[], isStale: boolean) {
    const { bytes, path } = source;
    if (hunks.length === 0) return { bytes, tiers: [] };
    for (const { newLines } of hunks) refuseBrokenText(newLines.join('\n'), 'patch');
    const { secretOf, scrub } = dependencies;
    const pause = new Pause(context.signal);
    const encoding = encodingOf(bytes, path);
    if (bytes.length <= encoding.markBytes && hunks.every(({ oldLines }) => oldLines.length === 0)) {
      const content = hunks.flatMap(({ newLines }) => newLines.map((line) => `${line}\n`)).join('');
      return {
        bytes: Buffer.concat(planRewrite({ path, before: bytes }, content, dependencies).slices),
        tiers: [],
      };
    }
    const request = { path, exactOnly: isStale, secretOf, scrub };
    try {
      return await planHunks(bytes, encoding, hunks, request, () => pause.ifDue());
    } catch (thrown) {
      const isDoubtful = ToolError.is(thrown) && (thrown.code === 'no_match' || thrown.code === 'not_unique');
      throw isStale && isDoubtful ? notAsRead(path, 'stale') : thrown;
    }
  }

  async function newPath(path: string): Promise<string> {
    const given = patchedPlace(path, dependencies.files.root);
    const canonical = await dependencies.files.resolve(given, context, 'exact');
    nameOnce(canonical);
    await seeFile(dependencies.files, canonical, context, async (current) => {
      if (current === undefined) return;
      const next = 'Change it with *** Update File, or delete it first with a separate patch.';
      throw new ToolError('invalid_input', `There is a file already: ${current.stat.path}. ${next}`);
    });
    return canonical;
  }

  function nameOnce(path: string): void {
    if (paths.has(path)) throw namedTwice(path);
    paths.add(path);
  }

  const planned: PlannedFile[] = [];
  for (const file of patch) planned.push(await plan(file));
  return planned;
}

/** The absolute path of a file that a patch names. Throws `path_not_absolute` for an invalid path. */
export function patchedPlace(path: string, root: string): string {
  return absolutePath(path, { root, relativePaths: 'resolve', platform: process.platform });
}
