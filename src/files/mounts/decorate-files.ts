import { assertNeeded } from '../../core/support/check-values.js';
import type { FileSystem } from '../../ports/file-system.js';

/** Wraps a file system and replaces some methods. An optional method that `base` lacks stays absent. */
export function decorateFiles(base: FileSystem, overrides: Partial<FileSystem>): FileSystem {
  assertNeeded('A wrapped file system', base, 'resolve', 'open');
  return {
    root: base.root,
    get roots() {
      return base.roots;
    },
    resolve: (...given) => base.resolve(...given),
    stat: (...given) => base.stat(...given),
    open: (...given) => base.open(...given),
    update: (...given) => base.update(...given),
    remove: (...given) => base.remove(...given),
    list: (...given) => base.list(...given),
    glob: (...given) => base.glob(...given),
    grep: (...given) => base.grep(...given),
    ...(base.removeFolder && { removeFolder: base.removeFolder.bind(base) }),
    ...overrides,
  };
}
