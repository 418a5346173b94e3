import type { SimpleCommand } from '../parse/simple-command.js';
import { denyDestructiveFiles } from './deny-destructive-files.js';
import { denyDisk, denyForkBomb, denyForkBombs, denySystemControl } from './deny-machine.js';
import { denyDownloadedCode, denyEvalInjection, denyRemoteCode, denyReverseShell } from './deny-remote-code.js';
import { type Denial, type DenyCategory, type DenyRule, toPlain } from './plain-command.js';

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

/** What commands are refused for that do harm only together. */
export function findLineDenials(commands: readonly SimpleCommand[]): readonly Denial[] {
  return [...denyForkBombs(commands), ...denyDownloadedCode(commands)];
}

/** What a single command is refused for; empty when no rule has anything against it. */
export function findDenials(command: SimpleCommand): readonly Denial[] {
  const call = toPlain(command);
  return rules.flatMap((rule) => rule(call) ?? []);
}
