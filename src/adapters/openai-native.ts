import { constants } from 'node:os';
import type { ToolCall, ToolCallResult } from '../core/call.js';
import type { ToolDefinitionJson } from '../core/registry/tool-definitions.js';
import { maxTimeoutMs } from '../core/shared-defaults.js';
import { isRecord } from '../core/support/check-values.js';
import { shellQuote } from '../core/text/shell-quote.js';
import { attachmentsOf, contextText, noOutput, resultText, wholeText } from './result-text.js';
import { isPatchPath, type NativeType, recordsOf, splitNative, type WireRecord, wireCall } from './wire-records.js';

/** A tool type that OpenAI's models are trained on. */
export type OpenAINativeType = 'local_shell' | 'shell' | 'apply_patch';

/** A native tool in `tools` of the Responses API. */
export type OpenAINativeTool =
  | { readonly type: 'local_shell' }
  | { readonly type: 'shell'; readonly environment: { readonly type: 'local' } }
  | { readonly type: 'apply_patch' };

/** The outcome of one command of a `shell_call`. */
export interface OpenAIShellOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly outcome: { readonly type: 'exit'; readonly exit_code: number } | { readonly type: 'timeout' };
}

/** A part of an output in the Responses API. */
export type OpenAIOutputPart =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly image_url: string; readonly detail: 'auto' }
  | { readonly type: 'input_file'; readonly file_data: string; readonly filename: string };

/** One answer to one call of a native type or of a custom tool: an item for the next `input`. */
export type OpenAINativeOutput =
  | { readonly type: 'local_shell_call_output'; readonly call_id: string; readonly output: string }
  | {
      readonly type: 'shell_call_output';
      readonly call_id: string;
      readonly output: OpenAIShellOutput[];
      readonly max_output_length?: number;
    }
  | {
      readonly type: 'custom_tool_call_output';
      readonly call_id: string;
      readonly output: string | OpenAIOutputPart[];
    }
  | {
      readonly type: 'apply_patch_call_output';
      readonly call_id: string;
      readonly status: 'completed' | 'failed';
      readonly output: string;
    };

const nativeTypes: Readonly<Record<OpenAINativeType, NativeType<OpenAINativeTool>>> = {
  local_shell: { tool: { type: 'local_shell' }, needs: 'Bash', replaces: ['Bash'] },
  shell: { tool: { type: 'shell', environment: { type: 'local' } }, needs: 'Bash', replaces: ['Bash'] },
  apply_patch: { tool: { type: 'apply_patch' }, needs: 'ApplyPatch', replaces: ['ApplyPatch'] },
};

/** The native tools to offer, and the remaining definitions. */
export const splitNativeTools = (definitions: readonly ToolDefinitionJson[], native: readonly OpenAINativeType[]) =>
  splitNative(
    definitions,
    native.map((type) => nativeTypes[type]),
    ['View', 'RestartShell'],
  );

/** Whether an item is a call of a native type that the provider does not run itself. */
export function isNativeCall({ type, environment }: WireRecord): boolean {
  const isElsewhere = isRecord(environment) && environment.type !== 'local';
  return !isElsewhere && (type === 'local_shell_call' || type === 'shell_call' || type === 'apply_patch_call');
}

/** The calls in an item of a native type; undefined for any other item. */
export function nativeCalls(item: WireRecord, index: number): ToolCall[] | undefined {
  const { action, operation, call_id: id } = item;
  if (!isNativeCall(item)) return undefined;
  if (item.type === 'local_shell_call')
    return [wireCall(id, 'Bash', isRecord(action) ? localInput(action) : {}, index)];
  if (item.type === 'apply_patch_call')
    return [wireCall(id, 'ApplyPatch', { patch: isRecord(operation) ? patchOf(operation) : undefined }, index)];
  const { commands, timeout_ms } = isRecord(action) ? action : {};
  const lines: readonly unknown[] = Array.isArray(commands) && commands.length > 0 ? commands : [undefined];
  return lines.map((command, at) => {
    const call = wireCall(id, 'Bash', bashInput(command, timeout_ms), index);
    return at === 0 ? call : { ...call, id: `${call.id}.${at + 1}` };
  });
}

/** Creates the function that converts results of native calls. `items` are the items of the model answer. */
export function nativeOutputs(items: readonly WireRecord[]) {
  const outputs = new Map<string, OpenAINativeOutput>();
  const known = new Map(
    items.flatMap((item, index) => {
      const calls = nativeCalls(item, index) ?? [];
      // The first command of a call has the id of the call.
      return calls.map(({ id }) => [id, { item, callId: calls[0]?.id ?? id }] as const);
    }),
  );
  /**
   * Returns a list with the item for a result, an empty list if the result was added to an earlier item, or undefined
   * if the call is not native.
   */
  return (result: ToolCallResult): OpenAINativeOutput[] | undefined => {
    const found = known.get(result.callId);
    if (found === undefined) return undefined;
    const { item, callId: call_id } = found;
    const before = outputs.get(call_id);
    if (before?.type === 'shell_call_output') {
      before.output.push(shellOutput(result));
      return [];
    }
    const output = outputOf(item, call_id, result);
    outputs.set(call_id, output);
    return [output];
  };
}

function outputOf(item: WireRecord, call_id: string, result: ToolCallResult): OpenAINativeOutput {
  const text = wholeText(result, attachmentsOf(result)) || noOutput;
  if (item.type === 'local_shell_call') return { type: 'local_shell_call_output', call_id, output: text };
  if (item.type === 'apply_patch_call')
    return { type: 'apply_patch_call_output', call_id, status: result.ok ? 'completed' : 'failed', output: text };
  const length = isRecord(item.action) ? item.action.max_output_length : undefined;
  return {
    type: 'shell_call_output',
    call_id,
    output: [shellOutput(result)],
    // The API refuses an output that does not repeat `max_output_length`.
    ...(typeof length === 'number' ? { max_output_length: length } : {}),
  };
}

/** The exit code for a call that failed, such as a refused command. */
const cannotRun = 126;

function shellOutput(result: ToolCallResult): OpenAIShellOutput {
  const { stdout, stderr, exitCode, signal } = result.metadata ?? {};
  const isApart = typeof stdout === 'string';
  const context = contextText(result);
  const errors = [isApart ? String(stderr ?? '') : '', result.ok ? '' : resultText(result), context];
  // A command that goes on in the background has neither an exit code nor a signal.
  const ended = typeof signal === 'string' ? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0) : 0;
  const code = !result.ok ? cannotRun : typeof exitCode === 'number' ? exitCode : ended;
  return {
    stdout: isApart ? stdout : result.ok ? resultText(result) : '',
    stderr: errors.filter((part) => part !== '').join('\n'),
    outcome: !result.ok && result.error.code === 'timeout' ? { type: 'timeout' } : { type: 'exit', exit_code: code },
  };
}

/** Quotes the words of a command, so that rules and people see each word unchanged. */
function localInput({ command, env, working_directory: folder, timeout_ms }: WireRecord): object {
  if (!Array.isArray(command) || command.length === 0) return bashInput(undefined, timeout_ms);
  const variables = Object.entries(isRecord(env) ? env : {}).filter(([name]) => /^[A-Za-z_]\w*$/.test(name));
  const words = [...variables.map(([name, value]) => `${name}=${quoted(value)}`), ...command.map(quoted)];
  const place = typeof folder === 'string' && folder !== '' ? `cd -- ${quoted(folder)} && ` : '';
  return bashInput(`${place}${words.join(' ')}`, timeout_ms);
}

const reserved = /^(?:if|then|else|elif|fi|do|done|case|esac|while|until|for|select|in|function|time|coproc)$/;

function quoted(word: unknown): string {
  const text = String(word);
  if (/^[\w./:@%+,-]+$/.test(text) && !reserved.test(text)) return text;
  // A word with a NUL stays unchanged: the shell refuses it.
  return text.includes('\0') ? text : shellQuote(text);
}

/** The model's time limit is only a hint, so a limit above the largest allowed one is reduced instead of refused. */
function bashInput(command: unknown, timeoutMs: unknown): object {
  const isLimit = typeof timeoutMs === 'number' && timeoutMs >= 1;
  const timeout = isLimit ? { timeout: Math.floor(Math.min(timeoutMs, maxTimeoutMs)) } : {};
  return { command, ...timeout };
}

function patchOf({ type, path, diff }: WireRecord): string | undefined {
  const body = typeof diff === 'string' ? diff.replace(/[\r\n]+$/, '') : '';
  const sections: Readonly<Record<string, string>> = {
    create_file: `*** Add File: ${path}\n${body}`,
    update_file: `*** Update File: ${path}\n${body}`,
    delete_file: `*** Delete File: ${path}`,
  };
  const section = sections[String(type)];
  return section && isPatchPath(path) ? `*** Begin Patch\n${section}\n*** End Patch` : undefined;
}

/** The items of a whole answer of the Responses API, of its output list, or of a single item. */
export function responseItems(answer: unknown): WireRecord[] {
  if (Array.isArray(answer)) return recordsOf(answer);
  if (!isRecord(answer)) return [];
  return Array.isArray(answer.output) ? recordsOf(answer.output) : [answer];
}
