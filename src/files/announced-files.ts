import type { CallScope } from '../core/context.js';
import type { FileSystem } from '../ports/file-system.js';
import { decorateFiles } from './mounts/decorate-files.js';
import { updateNoted } from './tracked-files.js';

/**
 * The same files, but `onChanged` hears the canonical path of each file that was written or removed, one whose write
 * failed once the new content stood as well.
 */
export function announceChanges(files: FileSystem, onChanged: (path: string, scope: CallScope) => void): FileSystem {
  return decorateFiles(files, {
    async update(path, change, scope, spelling) {
      const update = await updateNoted(files.update(path, change, scope, spelling), (written) =>
        onChanged(written, scope),
      );
      if (update !== undefined) onChanged(update.path, scope);
      return update;
    },
    async remove(path, scope) {
      const canonical = await files.resolve(path, scope);
      const removed = await files.remove(path, scope);
      if (removed) onChanged(canonical, scope);
      return removed;
    },
  });
}
