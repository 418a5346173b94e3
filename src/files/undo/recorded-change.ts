import type { RecordedChange } from '../../core/registry/toolkit.js';
import { once } from '../../core/support/once.js';
import { fileText } from '../../editing/encodings/detect.js';
import type { FileSystem } from '../../ports/file-system.js';
import type { FileChanges } from './change-log.js';
import type { FileChange } from './file-change.js';
import { currentState, hashOf, restored } from './revert-change.js';

/** A change in the form of the public API. Its contents are computed on request and passed through `show`. */
export function recordedChange(
  change: FileChange,
  changes: FileChanges,
  files: FileSystem,
  show: (text: string) => string,
): RecordedChange {
  const { path: filePath, operation, turn: turnNumber, callId: toolCallId, sessionId } = change;
  const contents = once(() => contentsOf(change, changes, files).catch((): Contents => ({})));
  const shown = (bytes: Buffer | undefined) => {
    const text = bytes && fileText(bytes);
    return text === undefined ? undefined : show(text);
  };
  return {
    ...{ filePath, operation, turnNumber, toolCallId, sessionId },
    get contentBefore() {
      return contents().then(({ before }) => (change.isFromOutside === true ? undefined : shown(before)));
    },
    get contentAfter() {
      return contents().then(({ after }) => shown(after));
    },
  };
}

interface Contents {
  readonly before?: Buffer | undefined;
  readonly after?: Buffer | undefined;
}

/** Computes the contents: starts from the current content and undoes the later changes; empty if one does not fit. */
async function contentsOf(change: FileChange, changes: FileChanges, files: FileSystem): Promise<Contents> {
  const scope = { caller: { sessionId: change.sessionId }, signal: new AbortController().signal };
  let after: Buffer | undefined = (await currentState(files, change.path, scope)).bytes;
  for (const step of changes.since(change)) {
    if (step.isTooLarge === true || hashOf(after) !== step.hashAfter) return {};
    const before = step.hashBefore === undefined ? undefined : restored(after ?? Buffer.alloc(0), step);
    if (step.id === change.id) return { before, after };
    after = before;
  }
  return {};
}
