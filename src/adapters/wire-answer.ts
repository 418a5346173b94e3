import type { ToolCall } from '../core/call.js';
import { argumentMistake, kindThatCame } from '../core/support/argument-mistake.js';
import { isRecord } from '../core/support/is-record.js';
import { recordsOf } from './wire-records.js';

/**
 * The formats in which models answer, by the entry that reads them: what its function takes, how an answer that comes in
 * pieces is had as a `whole`, marks of a call, marks that no other format has, and marks that others may have too.
 */
const wires = {
  anthropic: {
    reads: 'fromAnthropic',
    takes: 'an answer of Anthropic or a part of it',
    whole: 'await stream.finalMessage()',
    call: /^type=(?:tool_use|function|function_call|functionCall)$/,
    own: /^(?:stop_reason\W|stop_sequence\W|content_block\W|type=(?:\w+_)?(?:tool_use|tool_result|thinking)$|type=(?:message|content_block)_)/,
    shared: /^(?:content[=[]|type=(?!message$|error$))/,
  },
  openai: {
    reads: 'fromOpenAI',
    takes: 'an answer of OpenAI or a part of it',
    whole: 'await stream.finalResponse()',
    call: /^(?:function|custom|function_call)\{|^type=(?:function_call|custom_tool_call)$/,
    own: /^(?:(?:choices|finish_reason|tool_calls|refusal|call_id|function|custom)\W|object=(?:response|chat\.completion)|type=(?:\w+_call(?:_output)?$|output_text$|response\.))/,
    shared: /^(?:content[=[]|output\[|type=(?!text$|image$|error$))/,
  },
  gemini: {
    reads: 'fromGemini',
    takes: 'an answer of Gemini or a part of it',
    whole: 'chunk',
    call: /^functionCall(?:\{|s\[)/,
    own: /^(?:(?:candidates|promptFeedback|usageMetadata|modelVersion|functionCalls?|functionResponse|inlineData|fileData|executableCode|codeExecutionResult|thoughtSignature|serverContent|setupComplete)\W|role=model$)/,
    shared: /^(?:content\{|parts\[|text=|args\{|finishReason=)/,
  },
  'ai-sdk': {
    reads: 'fromAi',
    takes: 'a result of the AI SDK, its toolCalls or messages',
    whole: 'await result.toolCalls',
    call: /^type=(?:dynamic-tool|tool-(?!call$|result$|error$|approval).+)$/,
    own: /^(?:(?:toolCallId|toolName|toolCalls|toolResults|steps)\W|type=tool-(?:call|result|error)$)/,
    shared: /^(?:content[=[]|type=(?!message$|error$))/,
  },
} as const;

/** Messages of LangChain resemble those of the providers that they come from. */
const langChain = /^lc_|^type=tool_call$/;
/** An event of a stream after which a call is yet to come. */
const piece = /^type=(?:content_block_start|response\.output_item\.added)$/;

/** Throws a TypeError for what is no answer in a format: what came, and what to write. */
export function assertAnswer(entry: keyof typeof wires, answer: unknown): void {
  const { reads, takes, whole, shared } = wires[entry];
  const mistake = (got: string, write: string) => argumentMistake(`${reads} takes ${takes}`, got, write);
  if (isRecord(answer) && (Symbol.asyncIterator in answer || 'textStream' in answer))
    throw mistake('a stream', `${reads}(${whole})`);
  const marks = marksIn(answer, maxDepth);
  const has = (wanted: RegExp, among: readonly string[] = marks) => among.some((mark) => wanted.test(mark));
  if (has(langChain)) throw mistake('a message of LangChain', 'toLangChainTools(toolkit), whose tools it runs');
  if (has(piece)) throw pieceMistake(entry);
  // The outermost mark decides: what a model says, and compatible servers, hold marks of other formats deeper.
  const [owner] = marks.flatMap((mark) => Object.entries(wires).filter(([, wire]) => wire.own.test(mark)));
  if (owner !== undefined && owner[0] !== entry) {
    const [name, { reads: instead }] = owner;
    throw mistake(kindThatCame(answer), `${instead}(answer), with ${instead} from 'toolwright/${name}'`);
  }
  const parts = (Array.isArray(answer) ? recordsOf(answer) : [answer]).map((part) => marksIn(part, 1));
  // A conversation holds calls that were answered before; those of the AI SDK stand beside their results.
  const isConversation = parts.some((part) => has(/^role=/, part) && !has(/^type=message$/, part));
  if (Array.isArray(answer) && isConversation && entry !== 'ai-sdk')
    throw mistake('a list of messages', `${reads}(messages.at(-1))`);
  if (owner !== undefined) return;
  const isTyped = (part: readonly string[]) => entry === 'gemini' && has(/^type=/, part);
  const isEmpty = Array.isArray(answer) && answer.length === 0;
  if (isEmpty || parts.some((part) => has(shared, part) && !isTyped(part))) return;
  throw mistake(kindThatCame(answer), `${reads}(answer) with the answer of the SDK`);
}

/**
 * The calls that `read` finds in an answer. Throws a TypeError for what is no answer, and for one that holds calls in a
 * form that is not read: without them a loop would end as if the model were done.
 */
export function callsOf(entry: keyof typeof wires, answer: unknown, read: () => ToolCall[]): ToolCall[] {
  assertAnswer(entry, answer);
  const calls = read();
  const { reads, takes, call } = wires[entry];
  if (calls.length === 0 && marksIn(answer, maxDepth).some((mark) => call.test(mark)))
    throw argumentMistake(
      `${reads} takes ${takes}`,
      'calls in another form',
      `${reads}(answer) with the answer of the SDK`,
    );
  return calls;
}

/** The mistake of giving a piece of a stream, in which a call is not whole. */
export function pieceMistake(entry: keyof typeof wires): TypeError {
  const { reads, takes, whole } = wires[entry];
  return argumentMistake(`${reads} takes ${takes}`, 'a piece of a stream', `${reads}(${whole})`);
}

/** From a response down to the parts of its messages. */
const maxDepth = 8;
/** What carries parts of an answer; what calls are made with may hold anything. */
const carriers = /^(?:message|delta|content|parts|choices|candidates|output|response|item|tool_calls|toolCall)$/;

/** The fields of an answer, each with what kind of value it has, a text in short. */
function marksIn(value: unknown, depth: number): string[] {
  if (Array.isArray(value) && depth > 0) return value.flatMap((entry) => marksIn(entry, depth - 1));
  if (!isRecord(value) || depth === 0) return [];
  // Getters of classes are left alone: reading one may start a stream.
  const fields = Object.entries(value);
  const marks = fields.map(([field, held]) =>
    typeof held === 'string'
      ? `${field}=${held.slice(0, 50)}`
      : `${field}${Array.isArray(held) ? '[' : isRecord(held) ? '{' : '!'}`,
  );
  return [...marks, ...fields.flatMap(([field, held]) => (carriers.test(field) ? marksIn(held, depth - 1) : []))];
}
