import type { ToolContext } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { lineCount } from '../../core/text/lines-and-sizes.js';
import type { ToolMetadata, ToolResult } from '../../core/tool-result.js';
import { type Diff, diffFacts } from '../../editing/diff/by-lines.js';
import { trackFiles } from '../../files/change-tracking.js';
import { FileChanges } from '../../files/undo/change-log.js';
import { undoChange } from '../../files/undo/revert-change.js';
import type { FileSystem, FileUpdate } from '../../ports/file-system.js';
import type { FileChangeDependencies } from './file-change-dependencies.js';
import { diffOfFiles, notAsRead, shownDiff, writeNotes } from './file-change-steps.js';
import type { PlannedFile, PlannedSource } from './plan-patch.js';
import { syntaxNotes } from './syntax-check.js';

/**
 * Writes all planned files. If one file fails, the files written before it are restored byte for byte. If some of them
 * cannot be restored, the error has `metadata.written: true`, and `metadata.files` names them.
 */
export async function commitPatch(
  planned: readonly PlannedFile[],
  dependencies: FileChangeDependencies & { readonly changes?: FileChanges | undefined },
  context: ToolContext,
): Promise<ToolResult> {
  const { files, ledger, changes } = dependencies;
  const all = Number.POSITIVE_INFINITY;
  const attempt = new FileChanges({ limits: { maxUndoChanges: all, maxUndoBytes: all } });
  const tracked = trackFiles(files, attempt);
  const updates: (FileUpdate | undefined)[] = [];
  try {
    for (const file of planned) updates.push(await write(tracked, file, context));
  } catch (thrown) {
    await restore(files, attempt, context, thrown);
    throw thrown;
  }
  let isRecorded = true;
  for (const change of attempt.lastTurn(context.caller).reverse())
    isRecorded = changes?.add(context, change) !== false && isRecorded;
  const parts: { readonly line: string; readonly notes: readonly string[]; readonly facts: ToolMetadata }[] = [];
  for (const [index, file] of planned.entries()) {
    const update = updates[index];
    if (file.target !== undefined && update !== undefined)
      ledger.noteWritten(context.caller, update.path, update.stat.version, file.target.slices);
    parts.push(await report(file, update && { ...update, cannotBeUndone: !isRecorded }, dependencies));
  }
  return {
    output: [...parts.map(({ line }) => line), ...parts.flatMap(({ notes }) => notes)].join('\n'),
    metadata: { files: parts.map(({ facts }) => facts) },
  };
}

async function write(files: FileSystem, file: PlannedFile, context: ToolContext): Promise<FileUpdate | undefined> {
  const { source, target } = file;
  const isMoved = source !== undefined && source.path !== target?.path;
  let update: FileUpdate | undefined;
  if (target !== undefined) {
    const before = isMoved ? undefined : source;
    update = await files.update(
      target.path,
      async (current) => {
        requireAsPlanned(target.path, current && Buffer.from(await current.bytes()), before);
        return { slices: target.slices, ...(isMoved ? { mode: source.mode } : {}) };
      },
      context,
      'exact',
    );
  }
  if (isMoved) {
    await files.update(
      source.path,
      async (current) => {
        requireAsPlanned(source.path, current && Buffer.from(await current.bytes()), source);
        return undefined;
      },
      context,
    );
    await files.remove(source.path, context);
  }
  return update;
}

function requireAsPlanned(path: string, bytes: Buffer | undefined, planned: PlannedSource | undefined): void {
  const isSame = bytes === undefined || planned === undefined ? bytes === planned : bytes.equals(planned.bytes);
  if (!isSame) throw notAsRead(path, 'stale');
}

async function restore(files: FileSystem, attempt: FileChanges, context: ToolContext, cause: unknown): Promise<void> {
  // A signal of its own: the restore must run to its end even if the call is aborted.
  const scope = { caller: context.caller, signal: new AbortController().signal };
  const left: string[] = [];
  for (const change of attempt.lastTurn(context.caller)) {
    await undoChange(files, change, scope).catch(() => left.push(change.path));
  }
  if (left.length === 0) return;
  const { code, message } = ToolError.from(cause);
  const half = `${message} These files were already changed and could not be restored: ${left.join(', ')}. Read them.`;
  throw new ToolError(code, half, { cause, metadata: { written: true, files: left } });
}

async function report(
  { given, source, target, tiers, isStale }: PlannedFile,
  update: FileUpdate | undefined,
  { limits, syntax, shown = String }: FileChangeDependencies,
) {
  const whole = diffOfFiles(source?.bytes, target && Buffer.concat(target.slices), limits.maxDiffLines);
  const diff = update === undefined ? whole : shownDiff(update, whole);
  const path = update?.path ?? source?.path ?? given;
  const type =
    source === undefined ? 'create' : target === undefined ? 'delete' : target.path === source.path ? 'update' : 'move';
  const loose = tiers.some((tier) => tier !== 'exact');
  const notes = [
    ...(loose
      ? [`[${shown(path)} was matched without regard to white space or look-alike characters:]`, diff?.text ?? '']
      : []),
    ...(isStale ? [`[${shown(path)} had changed since it was read; each hunk still matched]`] : []),
    ...(update === undefined || type === 'move' ? [] : writeNotes(update, given)),
    ...(target === undefined ? [] : await syntaxNotes(syntax, path, source?.bytes, target.slices)),
  ];
  const names = { from: type === 'create' ? undefined : source?.path, to: type === 'delete' ? '/dev/null' : path };
  const facts = {
    filePath: path,
    type,
    ...(type === 'move' ? { movedFrom: source?.path } : {}),
    ...diffFacts(diff, names.from, names.to),
  };
  return { line: lineFor(type, shown(path), shown(source?.path ?? ''), diff), notes, facts };
}

function lineFor(type: 'create' | 'delete' | 'update' | 'move', path: string, from: string, diff: Diff | undefined) {
  if (type === 'create') return `Created ${path} (${lineCount(diff?.added ?? 0)}).`;
  if (type === 'delete') return `Deleted ${path}.`;
  const change = diff === undefined ? '' : ` (+${diff.added} -${diff.removed})`;
  return type === 'move' ? `Moved ${from} to ${path}${change}.` : `Updated ${path}${change}.`;
}
