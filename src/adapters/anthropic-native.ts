import { posix } from 'node:path';
import type { ToolCall } from '../core/call.js';
import type { ToolDefinitionJson } from '../core/registry/tool-definitions.js';
import { isRecord } from '../core/support/check-values.js';
import { isPatchPath, type NativeType, splitNative, type WireRecord } from './wire-records.js';

/** A tool type that Anthropic's models are trained on. */
export type AnthropicNativeType = 'bash' | 'text_editor' | 'memory';

/** A native tool in `tools` of the Messages API. */
export type AnthropicNativeTool =
  | { readonly type: 'bash_20250124'; readonly name: 'bash' }
  | { readonly type: 'text_editor_20250728'; readonly name: 'str_replace_based_edit_tool' }
  | { readonly type: 'memory_20250818'; readonly name: 'memory' };

/** The native tool types for `toAnthropicTools` and `fromAnthropic`. */
export interface AnthropicNativeOptions {
  /**
   * Native tool types to offer. Their calls are converted to calls of the toolkit, so rules and limits apply. `bash`
   * replaces Bash; `text_editor` replaces Read, Write and Edit; `memory` uses the files below `/memories`, which a
   * mount provides. `features.native` of the toolkit adds the tools that only native types call. A type is left out if
   * its tools are not among the definitions. Default: none.
   */
  readonly native: readonly AnthropicNativeType[];
}

type Translated = Pick<ToolCall, 'name' | 'input'>;

interface TranslatedType extends NativeType<AnthropicNativeTool> {
  translate(input: WireRecord): Translated | undefined;
}

const nativeTypes: Readonly<Record<AnthropicNativeType, TranslatedType>> = {
  bash: {
    tool: { type: 'bash_20250124', name: 'bash' },
    needs: 'Bash',
    replaces: ['Bash'],
    translate: ({ command, restart }) =>
      restart === true ? { name: 'RestartShell', input: {} } : { name: 'Bash', input: { command } },
  },
  text_editor: {
    tool: { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    needs: 'View',
    replaces: ['Read', 'Write', 'Edit'],
    translate: (input) => editorCall(input),
  },
  memory: {
    tool: { type: 'memory_20250818', name: 'memory' },
    needs: 'View',
    replaces: [],
    translate: ({ path, old_path, new_path, ...input }) => {
      const [at, from, to] = [path, old_path, new_path].map(memoryPath);
      if (input.command === 'delete') return patchCall([at], `*** Delete File: ${at}`);
      if (input.command === 'rename') return patchCall([from, to], `*** Update File: ${from}\n*** Move to: ${to}`);
      return editorCall({ ...input, path: at });
    },
  },
};

/** The native tools to offer, and the remaining definitions. */
export const splitNativeTools = (definitions: readonly ToolDefinitionJson[], native: readonly AnthropicNativeType[]) =>
  splitNative(
    definitions,
    native.map((type) => nativeTypes[type]),
    ['View', 'RestartShell', 'ApplyPatch'],
  );

/** Translates the call of a native tool into a call of the toolkit; other calls and unknown commands stay unchanged. */
export function fromNative(call: ToolCall, native: readonly AnthropicNativeType[]): ToolCall {
  const type = native.map((name) => nativeTypes[name]).find(({ tool }) => tool.name === call.name);
  const translated = isRecord(call.input) ? type?.translate(call.input) : undefined;
  return translated === undefined ? call : { ...call, ...translated };
}

function editorCall({ command, path, ...input }: WireRecord): Translated | undefined {
  switch (command) {
    case 'view':
      return {
        name: 'View',
        input: { path, ...(Array.isArray(input.view_range) && { view_range: input.view_range }) },
      };
    case 'create':
      return { name: 'Write', input: { file_path: path, content: input.file_text } };
    case 'str_replace':
      return {
        name: 'Edit',
        input: { file_path: path, old_string: input.old_str, new_string: input.new_str ?? '' },
      };
    case 'insert':
      return insertion(path, input.insert_line, input.insert_text ?? input.new_str);
    default:
      return undefined;
  }
}

function insertion(path: unknown, line: unknown, text: unknown): Translated {
  if (!Number.isSafeInteger(line) || typeof text !== 'string') return { name: 'ApplyPatch', input: {} };
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const added = lines.map((added) => `+${added}`).join('\n');
  const hunk = `@@ -${line},0 +${Number(line) + 1},${lines.length} @@\n${added}`;
  return patchCall([path], `*** Update File: ${path}\n${hunk}`);
}

/** An invalid path results in an input without a patch, which the tool refuses. */
function patchCall(paths: readonly unknown[], section: string): Translated {
  const input = paths.every(isPatchPath) ? { patch: `*** Begin Patch\n${section}\n*** End Patch` } : {};
  return { name: 'ApplyPatch', input };
}

/** Maps a path of a memory call to a path below `/memories`. */
function memoryPath(path: unknown): unknown {
  if (typeof path !== 'string') return path;
  const plain = posix.join('/', path);
  return /^\/memories(?:\/|$)/.test(plain) ? plain : posix.join('/memories', plain);
}
