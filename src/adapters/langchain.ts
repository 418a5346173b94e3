import { isDeepStrictEqual } from 'node:util';
import type { CallbackManagerForToolRun } from '@langchain/core/callbacks/manager';
import { type ContentBlock, ToolMessage } from '@langchain/core/messages';
import { DynamicStructuredTool } from '@langchain/core/tools';
import type { PlainCallResult } from '../core/call.js';
import { callerKind } from '../core/check-caller.js';
import type { Caller } from '../core/context.js';
import { stateNumbers } from '../core/fixed-limits.js';
import {
  assertToolkit,
  type CallerOr,
  type ChosenTools,
  definitionsKind,
  readCallerAndOptions,
} from '../core/registry/adapter-arguments.js';
import type { ToolDefinitionJson } from '../core/registry/tool-definitions.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { assertOptions, kindOf, signalKind } from '../core/support/check-values.js';
import { LatestMap } from '../core/support/latest-map.js';
import type { Attachment } from '../core/tool-result.js';
import { compileDefinitions } from './compile-schema.js';
import { partsOf } from './result-text.js';
import { gatherCalls, type ToolProgress } from './run-together.js';
import { isSendableImage } from './sendable-media.js';

/** Context that a host adds to one call. */
export interface LangChainContext {
  /** The caller. Default: the caller of the list. */
  readonly caller?: Caller | undefined;
  /** Stops the call, in addition to the signal of the run. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
}

/** Options of tools for LangChain. */
export interface LangChainOptions extends ChosenTools {
  /** Default `{ sessionId: 'default' }`. */
  readonly caller?: Caller | undefined;
  /** Called when a call starts; returns its context. */
  readonly createContext?: ((toolName: string, callId: string) => LangChainContext) | undefined;
  /** Receives each result. Errors of this function are ignored. */
  readonly onToolResult?: ((result: PlainCallResult) => void) | undefined;
}

/** A list of tools that also returns their last results. */
export interface LangChainTools extends Array<DynamicStructuredTool> {
  /** The last result of each tool, or only of the tool `name`. Kept for the 100 most recently used tools. */
  lastResults(name?: string): PlainCallResult[];
}

/**
 * Creates a caller's tools for a model, an agent or a `ToolNode`. A result becomes a `ToolMessage`: text and images are
 * content blocks, a failure has `status: 'error'`, and `artifact` has the whole result as plain data. Until the offered
 * tools change, the same options give the same list.
 */
export function toLangChainTools(toolkit: Toolkit, ...rest: CallerOr<LangChainOptions>): LangChainTools {
  assertToolkit('toLangChainTools', toolkit);
  const kinds = {
    caller: kindOf.record,
    definitions: definitionsKind,
    createContext: kindOf.callback,
    onToolResult: kindOf.callback,
  };
  const read = readCallerAndOptions<LangChainOptions>('toLangChainTools', rest, kinds);
  const options = { ...read.options, caller: read.caller ?? read.options.caller };
  const { definitions = toolkit.definitions(options.caller) } = options;
  const offered = JSON.stringify(definitions);
  const lists = kept.get(toolkit) ?? new LatestMap<string, KeptList>(stateNumbers.maxDecidedCalls);
  kept.set(toolkit, lists);
  const { caller, createContext, onToolResult } = options;
  const key = JSON.stringify([caller?.sessionId, caller?.agentId, caller?.userId]);
  const known = lists.get(key);
  const isSame = known?.createContext === createContext && known?.onToolResult === onToolResult;
  if (known?.offered === offered && isSame && isDeepStrictEqual(known.caller, caller)) return known.list;
  const list = makeList(toolkit, definitions, options);
  lists.set(key, { offered, caller, createContext, onToolResult, list });
  return list;
}

interface KeptList extends LangChainOptions {
  /** The definitions of the list, as JSON. */
  readonly offered: string;
  readonly list: LangChainTools;
}

const kept = new WeakMap<Toolkit, LatestMap<string, KeptList>>();

function makeList(
  toolkit: Toolkit,
  definitions: readonly ToolDefinitionJson[],
  options: LangChainOptions,
): LangChainTools {
  const start = gatherCalls(toolkit);
  const last = new LatestMap<string, PlainCallResult>(stateNumbers.maxLastResults);
  const run = async (
    name: string,
    input: unknown,
    manager: CallbackManagerForToolRun | undefined,
    config: ToolConfig,
  ) => {
    const id = config.toolCall?.id;
    const context = options.createContext === undefined ? {} : options.createContext(name, id ?? '');
    assertOptions('toLangChainTools: the result of createContext', context, contextKinds);
    const { caller = options.caller, signal, onProgress } = context;
    const signals = [signal, config.signal].filter((one) => one !== undefined);
    const result = await start({
      id,
      name,
      input,
      caller,
      signal: signals.length === 0 ? undefined : AbortSignal.any(signals),
      onProgress: (progress) => {
        onProgress?.(progress);
        manager?.handleToolEvent?.(progress).catch(() => undefined);
      },
    });
    last.set(name, structuredClone(result));
    try {
      options.onToolResult?.(structuredClone(result));
    } catch {
      // An error of a listener must not change the result.
    }
    return id === undefined ? contentOf(result) : messageOf(result, id, name);
  };
  const tools = compileDefinitions(definitions, 'plain').map(
    ({ name, description, inputSchema }) =>
      new DynamicStructuredTool({
        name,
        description,
        schema: inputSchema,
        func: (input, manager, config) => run(name, input, manager, config ?? {}),
      }),
  );
  const lastResults = (name?: string) =>
    [...last].filter(([one]) => name === undefined || one === name).map(([, result]) => result);
  return Object.assign(tools, { lastResults }) as unknown as LangChainTools;
}

const contextKinds = { caller: callerKind, signal: signalKind, onProgress: kindOf.callback };

interface ToolConfig {
  readonly signal?: AbortSignal;
  readonly toolCall?: { readonly id?: string | undefined };
}

function messageOf(result: PlainCallResult, id: string, name: string): ToolMessage {
  const status = result.ok ? 'success' : 'error';
  return new ToolMessage({ tool_call_id: id, name, status, content: contentOf(result), artifact: result });
}

function contentOf(result: PlainCallResult): string | ContentBlock[] {
  return partsOf<ContentBlock>(result, (text) => ({ type: 'text', text }), imageBlock);
}

function imageBlock(attachment: Attachment): ContentBlock | undefined {
  const { mediaType, data } = attachment;
  if (!isSendableImage(attachment)) return undefined;
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${data}` } };
}
