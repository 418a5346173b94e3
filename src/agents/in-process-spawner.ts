import type { ToolCall, ToolCallResult } from '../core/call.js';
import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { ToolDefinitionJson } from '../core/registry/tool-definitions.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import type { AgentMessage } from '../core/subagent.js';
import { assertOptions, having, isRecord, kindOf, type OptionKinds } from '../core/support/check-values.js';
import { indented } from '../core/text/lines-and-sizes.js';
import type { SubagentRequest, SubagentResult, SubagentSpawner } from '../ports/agents/subagents.js';

/** One message of the conversation of a subagent. */
export type AgentTurn =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls: readonly ToolCall[] }
  /** The results of all calls of the preceding message, in call order. */
  | { readonly role: 'tool'; readonly results: readonly ToolCallResult[] };

/** A request to a model in one round. */
export interface AgentModelRequest {
  readonly system: string;
  readonly messages: readonly AgentTurn[];
  readonly tools: readonly ToolDefinitionJson[];
  /** The requested model, or the model of the type. */
  readonly model?: string | undefined;
  readonly signal: AbortSignal;
}

/** The answer of a model. Without calls the subagent is done. */
export interface AgentModelReply {
  readonly text?: string | undefined;
  readonly toolCalls?: readonly ToolCall[] | undefined;
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number } | undefined;
}

/** Calls a model. With the adapters, an implementation takes a few lines for each provider. */
export type AgentModel = (request: AgentModelRequest) => Promise<AgentModelReply> | AgentModelReply;

/** A kind of subagent. */
export interface SubagentType {
  /** The purpose of the type. Models choose a type by this text. */
  readonly description: string;
  readonly systemPrompt: string;
  /** Names of the tools of this type. Default: all tools that the subagent may have. */
  readonly tools?: readonly string[] | undefined;
  readonly model?: string | undefined;
}

/** Options of {@link inProcessSpawner}. */
export interface InProcessSpawnerOptions {
  readonly toolkit: Toolkit;
  readonly model: AgentModel;
  /** System prompt of the type `general-purpose`. Default: a short description of the role of a subagent. */
  readonly systemPrompt?: string | undefined;
  /** Further kinds of subagents, by name. */
  readonly types?: Readonly<Record<string, SubagentType>> | undefined;
  /** The models that a call may name. Default: any. */
  readonly models?: readonly string[] | undefined;
}

const kinds: OptionKinds<InProcessSpawnerOptions> = {
  toolkit: having('a toolkit', 'execute', 'openIn'),
  model: kindOf.callback,
  systemPrompt: kindOf.text,
  types: kindOf.record,
  models: kindOf.texts,
};
const typeKinds: OptionKinds<SubagentType> = {
  description: kindOf.text,
  systemPrompt: kindOf.text,
  tools: kindOf.texts,
  model: kindOf.text,
};
const defaultPrompt =
  'You are a subagent: you carry out one task by yourself, with the tools you have. ' +
  'Nobody answers questions. Only your last message is read: state in it what you found or did.';
const lastOrder = 'This is your last round: call no tools, and conclude with what you know.';

interface Transcript {
  readonly messages: AgentTurn[];
  readonly usage: { inputTokens: number; outputTokens: number; toolCalls: number; turns: number };
}

/**
 * Runs subagents in this process: a loop calls the model and executes the tool calls of its answer. The rules, hooks
 * and limits of the parent apply to these calls. A subagent with its own folder gets a toolkit for that folder with the
 * same options. Throws a TypeError for invalid options.
 *
 * @example const toolkit = createToolkit({
 *   root: '/abs/workspace',
 *   hosts: { subagents: (toolkit) => inProcessSpawner({ toolkit, model }) },
 * });
 */
export function inProcessSpawner(options: InProcessSpawnerOptions): SubagentSpawner {
  assertOptions('inProcessSpawner', options, kinds);
  if (options.toolkit === undefined || options.model === undefined)
    throw new TypeError('inProcessSpawner: pass toolkit and model');
  const types = new Map(Object.entries(options.types ?? {}));
  for (const [name, type] of types) assertOptions(`inProcessSpawner: types.${name}`, type, typeKinds);
  const transcripts = new Map<string, Transcript>();
  return {
    types: Object.fromEntries([...types].map(([name, { description }]) => [name, description])),
    models: options.models,
    forget: (id) => void transcripts.delete(id),
    spawn: async (request, scope) => {
      const transcript = openTranscript(transcripts, request);
      const toolkit = request.cwd === undefined ? options.toolkit : options.toolkit.openIn(request.cwd);
      try {
        return await converse(request, { ...options, toolkit, type: types.get(request.type), transcript }, scope);
      } finally {
        if (toolkit !== options.toolkit) await toolkit.dispose();
      }
    },
  };
}

const noTranscript: Transcript = {
  messages: [],
  usage: { inputTokens: 0, outputTokens: 0, toolCalls: 0, turns: 0 },
};

function openTranscript(
  transcripts: Map<string, Transcript>,
  { id, resume, prompt, message = prompt }: SubagentRequest,
) {
  const known = resume === undefined ? undefined : transcripts.get(resume);
  if (resume !== undefined && known === undefined)
    throw new ToolError(
      'invalid_input',
      `resume: there is no transcript of ${resume} any more. Start another subagent.`,
    );
  const { messages, usage } = known ?? noTranscript;
  // A copy, because the previous run may still wait for its model and must not change the new transcript.
  const transcript = { messages: [...messages], usage: { ...usage } };
  transcripts.set(id, transcript);
  transcript.messages.push({ role: 'user', text: message });
  return transcript;
}

interface Conversation extends InProcessSpawnerOptions {
  readonly type: SubagentType | undefined;
  readonly transcript: Transcript;
}

async function converse(
  { prompt: _, ...request }: SubagentRequest,
  { toolkit, model, type, systemPrompt, transcript: { messages, usage } }: Conversation,
  scope: CallScope,
): Promise<SubagentResult> {
  const { maxTurns, cwd } = request;
  const place = cwd === undefined ? '' : `\nYou work in a copy of the workspace in ${cwd}: use only files in it.`;
  const system = (type?.systemPrompt ?? systemPrompt ?? defaultPrompt) + place;
  const tools = request.tools.filter(({ name }) => type?.tools?.includes(name) ?? true);
  for (let turn = 1, messagesIn = request.inbox(); ; turn++) {
    scope.signal.throwIfAborted();
    const isLast = turn >= maxTurns;
    messages.push(...messagesIn.map((message) => ({ role: 'user' as const, text: textOf(message) })));
    if (isLast) messages.push({ role: 'user', text: lastOrder });
    request.report({ turn });
    const modelRequest = { system, messages: [...messages], tools, model: request.model ?? type?.model };
    const { text, toolCalls, ...spent } = readReply(await model({ ...modelRequest, signal: scope.signal }));
    usage.turns++;
    usage.inputTokens += spent.inputTokens;
    usage.outputTokens += spent.outputTokens;
    if (isLast || toolCalls.length === 0) {
      messages.push({ role: 'assistant', text, toolCalls: [] });
      messagesIn = isLast ? [] : request.inbox();
      if (messagesIn.length > 0) continue;
      const note =
        toolCalls.length === 0 ? '' : `[The subagent was stopped after ${maxTurns} rounds, before it finished.]`;
      return { output: joined(text, note), usage: { ...usage } };
    }
    scope.signal.throwIfAborted();
    request.report({ text, turn });
    const isOwn = ({ name }: ToolCall) => type?.tools?.includes(toolkit.registry.find(name)?.name ?? name) ?? true;
    const { results, interrupted } = await toolkit.execute(toolCalls.filter(isOwn), scope);
    usage.toolCalls += results.length;
    const own = results.values();
    const all = toolCalls.map((call) => (isOwn(call) ? (own.next().value as ToolCallResult) : refused(call)));
    messages.push({ role: 'assistant', text, toolCalls }, { role: 'tool', results: all });
    if (interrupted) return { output: joined(text, '[A person ended the turn of the subagent.]'), usage: { ...usage } };
    messagesIn = request.inbox();
  }
}

const joined = (...lines: readonly string[]) => lines.filter(Boolean).join('\n');

function readReply(reply: unknown) {
  if (!isRecord(reply)) throw new ToolError('execution_failed', 'The model of the subagent gave no usable answer.');
  const { text, toolCalls, usage } = reply as AgentModelReply;
  const count = (tokens: unknown) => (typeof tokens === 'number' && tokens > 0 ? tokens : 0);
  return {
    text: typeof text === 'string' ? text : '',
    toolCalls: Array.isArray(toolCalls) ? (toolCalls as readonly ToolCall[]) : [],
    inputTokens: count(usage?.inputTokens),
    outputTokens: count(usage?.outputTokens),
  };
}

function refused({ id, name }: ToolCall): ToolCallResult {
  const error = new ToolError('not_allowed', `${name} is not available to this kind of agent. Use another tool.`);
  return { callId: id, name, ok: false, output: `Error: ${error.message}`, durationMs: 0, error };
}

function textOf({ from, type, text, requestId, approve }: AgentMessage): string {
  const facts = [`from ${from}`, type, ...(requestId === undefined ? [] : [`request_id ${requestId}`])];
  const answer = approve === undefined ? [] : [approve ? 'approved' : 'refused'];
  return `[${[...facts, ...answer].join(', ')}]\n${indented(text)}`;
}
