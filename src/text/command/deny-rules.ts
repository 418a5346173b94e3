import type { Denial, DenyCategory, DenyRule } from './denied-command.js';
import { toPlain } from './denied-command.js';
import { denyDestructiveFiles } from './deny-destructive.js';
import { denyDisk } from './deny-disk.js';
import { denyEvalInjection, denyRemoteCode, denyReverseShell } from './deny-remote.js';
import { denyForkBomb, denySystemControl } from './deny-system.js';
import type { SimpleCommand } from './simple-command.js';

const rules: readonly DenyRule[] = [
  denyDestructiveFiles,
  denyDisk,
  denySystemControl,
  denyForkBomb,
  denyRemoteCode,
  denyReverseShell,
  denyEvalInjection,
];

/** Every group of commands that is refused unless a host switches it off. */
export const denyCategories: readonly DenyCategory[] = [
  'destructive-files',
  'disk',
  'system-control',
  'fork-bomb',
  'remote-code',
  'reverse-shell',
  'eval-injection',
];

/** What a single command is refused for; empty when no rule has anything against it. */
export function findDenials(command: SimpleCommand): readonly Denial[] {
  const call = toPlain(command);
  return rules.flatMap((rule) => rule(call) ?? []);
}
