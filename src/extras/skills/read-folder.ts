import { closeSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ifPossible } from '../../core/support/check-values.js';
import { errorCode } from '../../core/support/os-error-code.js';
import { formatSize } from '../../core/text/lines-and-sizes.js';
import { fileVersion, openRegular } from '../../files/disk/open-file.js';
import { nodeDisk } from '../../files/disk/system-calls.js';
import { confine } from '../../files/paths/confinement.js';
import { readSkillText } from './front-matter.js';

/** The file that makes a folder a skill. */
export const skillFile = 'SKILL.md';

const maxBytes = 262_144;
const maxFiles = 100;
const maxDepth = 5;
const maxLooks = 2_000;

/** A version that changes with the SKILL.md in a folder; undefined if there is no such file. */
export function skillVersion(folder: string): string | undefined {
  return ifPossible(() => fileVersion(statSync(join(folder, skillFile), { bigint: true })));
}

/**
 * Reads the SKILL.md in the folder `path`, and adds the canonical path of the folder. Refuses symlinks that lead out of
 * the skill folder or out of `tier`, a canonical path. Throws an Error whose message is a reason without a full stop.
 */
export function readSkill(path: string, tier: string) {
  try {
    const folder = confine(path, [tier]);
    return { ...readSkillText(textOf(confine(join(folder, skillFile), [folder]), folder)), folder };
  } catch (thrown) {
    if (errorCode(thrown) === 'path_outside_root') throw new Error('a symlink leads out of the folder');
    throw thrown;
  }
}

function textOf(path: string, folder: string): string {
  const { descriptor, stats } = openRegular(path, [folder], nodeDisk);
  try {
    if (stats.size > maxBytes) throw new Error(`it is larger than ${formatSize(maxBytes)}`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(descriptor));
  } catch (thrown) {
    throw errorCode(thrown) === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? new Error('it is not UTF-8 text') : thrown;
  } finally {
    closeSync(descriptor);
  }
}

/** The files in a skill folder except its SKILL.md, sorted. Symlinks are neither listed nor followed. */
export function filesOfSkill(folder: string): readonly string[] {
  const found: string[] = [];
  let looks = 0;
  const look = (inner: string, depth: number) => {
    const entries = ifPossible(() => readdirSync(inner, { withFileTypes: true })) ?? [];
    for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
      looks += 1;
      if (found.length >= maxFiles || looks > maxLooks) return;
      const path = join(inner, entry.name);
      if (entry.isDirectory() && depth < maxDepth) look(path, depth + 1);
      else if (entry.isFile() && path !== join(folder, skillFile)) found.push(relative(folder, path));
    }
  };
  look(folder, 1);
  return found;
}
