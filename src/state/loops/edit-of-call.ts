import { isRecord } from '../../core/support/is-record.js';
import type { PreToolUseEvent } from '../../host/hooks.js';
import { touchedBy } from './call-footprint.js';
import { digest } from './digest.js';
import type { Forgivable } from './unconfirmed-changes.js';

/** A call as hooks see it. Calls of one key are one and the same. */
export interface SeenCall extends PreToolUseEvent {
  readonly key: string;
}

/** What an edit takes away and what it puts there, as digests; a whole file takes away whatever there was. */
export interface SeenEdit {
  readonly path: string;
  readonly from: string | undefined;
  readonly to: string;
}

/** The last edit of a file, and how often edits of it have undone each other. */
export interface LastEdit extends SeenEdit, Forgivable {
  reverts: number;
}

/** The edit that a call makes, if it does. */
export function editOf(call: SeenCall): SeenEdit | undefined {
  const { tool, input } = call;
  const { writes } = touchedBy(call);
  if (!isRecord(input)) return undefined;
  const { file_path: given, old_string: from, new_string: to, content } = input;
  if (typeof given !== 'string') return undefined;
  const path = (typeof writes === 'string' ? undefined : writes[0]) ?? given;
  if (typeof from === 'string' && typeof to === 'string') return { path, from: digest(from), to: digest(to) };
  return tool === 'Write' && typeof content === 'string' ? { path, from: undefined, to: digest(content) } : undefined;
}

/** Whether an edit undoes the one before it. */
export function isBack(edit: SeenEdit | undefined, last: LastEdit | undefined): last is LastEdit {
  return edit !== undefined && last !== undefined && last.from === edit.to && last.to === (edit.from ?? last.to);
}
