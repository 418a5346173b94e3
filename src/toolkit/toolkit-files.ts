import { parse } from 'node:path';
import type { ToolCallSuccess } from '../core/call.js';
import { ToolError } from '../core/error.js';
import type { FileContent, ToolkitFiles, TurnOptions } from '../core/registry/toolkit.js';
import { defaultCaller, ToolkitTurns } from './toolkit-turns.js';
import type { WiredFiles } from './wire-files.js';

const maxSameNames = 1_000;

/**
 * The files of a toolkit for programs: Glob and Read calls through all stages of a turn without their limits, and new
 * files. Created while the registry still holds the built-in tools. Changes in `tracked` can be undone.
 */
export function toolkitFiles(wired: Pick<WiredFiles, 'plain' | 'tracked'>, { parts }: ToolkitTurns): ToolkitFiles {
  const { plain: files, tracked } = wired;
  const { registry, limits, permissions } = parts.settings;
  const builtin = registry.snapshot();
  const unbounded = { ...parts.settings, limits: { ...limits, output: { ...limits.output, maxTurnChars: 0 } } };
  const call = async (which: 'glob' | 'read', input: object, turn: TurnOptions = {}): Promise<ToolCallSuccess> => {
    const { wholeFilesTools } = await import('../tools/files/file-tools-for-programs.js');
    const view = registry.clone();
    const tools = wholeFilesTools({ files, limits });
    for (const tool of Object.values(tools)) {
      if (registry.get(tool.name) !== builtin.get(tool.name))
        throw new ToolError('not_configured', `${tool.name} was replaced: read files through it, not through files.`);
      view.unregister(tool.name);
      view.register(tool);
      if (registry.isAllowed(tool.name)) view.allow(tool.name);
      if (registry.isDisabled(tool.name)) view.disable(tool.name);
    }
    const turns = new ToolkitTurns({ ...parts, settings: unbounded, registryOf: () => view });
    const result = await turns.call(tools[which].name, input, turn);
    if (!result.ok) throw result.error;
    return result;
  };
  return {
    root: files.root,
    async list(turn) {
      const paths = new Set<string>();
      for (const path of files.roots ?? [files.root]) {
        const { output } = await call('glob', { pattern: '**/*', path }, turn);
        for (const found of JSON.parse(output) as readonly string[])
          if (permissions.hidesPath?.(found, files.root, 'searches') !== true) paths.add(found);
      }
      return [...paths].sort().slice(0, limits.glob.maxListed);
    },
    async read(path, turn): Promise<FileContent> {
      const { output, metadata = {}, attachments: [attachment] = [] } = await call('read', { file_path: path }, turn);
      if (attachment !== undefined) return { mediaType: attachment.mediaType, data: attachment.data };
      return { mediaType: String(metadata.mediaType), text: output };
    },
    async create(path, bytes, { caller = defaultCaller, signal = AbortSignal.any([]) } = {}) {
      const { dir, name, ext } = parse(path);
      for (let number = 1; number <= maxSameNames; number += 1) {
        const free = number === 1 ? path : `${dir}/${name}-${number}${ext}`;
        const asNew = (current: unknown) => (current === undefined ? { slices: [bytes] } : undefined);
        const made = await tracked.update(free, asNew, { caller, signal }, 'exact');
        if (made !== undefined) return made.path;
      }
      throw new ToolError('limit_reached', `${maxSameNames} files are named like ${path}. Remove some.`);
    },
  };
}
