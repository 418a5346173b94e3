import { argumentMistake, kindThatCame } from '../core/support/argument-mistake.js';
import { isRecord } from '../core/support/is-record.js';
import { parseArguments, recordsOf, type WireRecord } from './wire-records.js';

/**
 * The formats in which models answer, by the entry that reads them: what its function takes, how an answer that comes in
 * pieces is had as a `whole`, marks that no other format has, and marks that others may have too.
 */
const wires = {
  anthropic: {
    reads: 'fromAnthropic',
    takes: 'an answer of Anthropic or a part of it',
    whole: 'await stream.finalMessage()',
    own: /^(?:stop_reason\W|stop_sequence\W|content_block\W|type=(?:\w+_)?(?:tool_use|tool_result|thinking)$|type=(?:message|content_block)_)/,
    shared: /^(?:content[=[]|type=(?!message$|error$))/,
  },
  openai: {
    reads: 'fromOpenAI',
    takes: 'an answer of OpenAI or a part of it',
    whole: 'await stream.finalResponse()',
    own: /^(?:(?:choices|finish_reason|tool_calls|refusal|call_id|function|custom)\W|object=(?:response|chat\.completion)|type=(?:\w+_call(?:_output)?$|output_text$|response\.))/,
    shared: /^(?:content[=[]|output\[|type=(?!text$|image$|error$))/,
  },
  gemini: {
    reads: 'fromGemini',
    takes: 'an answer of Gemini or a part of it',
    whole: 'chunk',
    own: /^(?:(?:candidates|promptFeedback|usageMetadata|modelVersion|functionCalls?|functionResponse|inlineData|fileData|executableCode|codeExecutionResult|thoughtSignature|serverContent|setupComplete)\W|role=model$)/,
    shared: /^(?:content\{|parts\[|text=|args\{|finishReason=)/,
  },
  'ai-sdk': {
    reads: 'fromAi',
    takes: 'a result of the AI SDK, its toolCalls or messages',
    whole: 'await result.toolCalls',
    own: /^(?:(?:toolCallId|toolName|toolCalls|toolResults|toolInvocation|steps)\W|type=(?:tool-|dynamic-tool$))/,
    shared: /^(?:content[=[]|type=(?!message$|error$))/,
  },
} as const;

/** Messages of LangChain resemble those of the providers that they come from. */
const langChain = /^lc_|^type=tool_call$/;
/** A part of a stream that holds a call in part, or none yet. */
const piece =
  /^type=(?:content_block_start$|response\.output_item\.added$|tool-(?:input|call)-)|^state=(?:partial-call|input-streaming)$/;
/** A call in any format that is the host's to run and waits for its result. */
const waiting =
  /^(?:function|functionCall|function_call)\{|^type=(?:tool_use|tool-call|function(?:_?call)?|functionCall|custom_tool_call)$|^state=(?:call$|input-available$|approval-)/;

/**
 * The calls in an answer that have no result in it, in order, by the test of their format. Throws a TypeError for what
 * is no answer in the format, and for a call in it that the test leaves out: what came, and what to write.
 */
export function callsIn(
  entry: keyof typeof wires,
  answer: unknown,
  isCall: (record: WireRecord) => unknown,
): WireRecord[] {
  const { reads, takes, whole, shared } = wires[entry];
  const mistake = (got: string, write: string) => argumentMistake(`${reads} takes ${takes}`, got, write);
  if (isRecord(answer) && (Symbol.asyncIterator in answer || 'textStream' in answer))
    throw mistake('a stream', `${reads}(${whole})`);
  const records = recordsIn(answer, maxDepth);
  const marks = records.flatMap(marksOf);
  const has = (wanted: RegExp, among: readonly string[] = marks) => among.some((mark) => wanted.test(mark));
  if (has(langChain)) throw mistake('a message of LangChain', 'toLangChainTools(toolkit), whose tools it runs');
  if (has(piece) || records.some(isBegun)) throw mistake('a piece of a stream', `${reads}(${whole})`);
  // The outermost mark decides: what a model says, and compatible servers, hold marks of other formats deeper.
  const [owner] = marks.flatMap((mark) => Object.entries(wires).filter(([, wire]) => wire.own.test(mark)));
  if (owner !== undefined && owner[0] !== entry) {
    const [name, { reads: instead }] = owner;
    throw mistake(kindThatCame(answer), `${instead}(answer), with ${instead} from 'toolwright/${name}'`);
  }
  const parts = (Array.isArray(answer) ? recordsOf(answer) : [answer]).map(marksOf);
  // A conversation holds calls that were answered before; those of the AI SDK stand beside their results.
  const isItem = (part: readonly string[]) => entry === 'openai' && has(/^type=message$/, part);
  if (Array.isArray(answer) && entry !== 'ai-sdk' && parts.some((part) => has(/^role=/, part) && !isItem(part)))
    throw mistake('a list of messages', `${reads}(messages.at(-1))`);
  const isTyped = (part: readonly string[]) => entry === 'gemini' && has(/^type=/, part);
  const isEmpty = Array.isArray(answer) && answer.length === 0;
  const write = `${reads}(answer) with the answer of the SDK`;
  if (owner === undefined && !isEmpty && !parts.some((part) => has(shared, part) && !isTyped(part)))
    throw mistake(kindThatCame(answer), write);
  const unread = records.find((record) => !isCall(record) && has(waiting, marksOf(record)));
  if (unread !== undefined) throw mistake(`a call in a form that it does not read, ${kindThatCame(unread)}`, write);
  const answered = new Set(records.filter((record) => !isCall(record)).map(answeredId));
  return records.filter((record) => isCall(record) && !answered.has(answeredId(record) ?? record.id ?? {}));
}

/** From a response down to the parts of its messages. */
const maxDepth = 12;
/** What carries parts of an answer; what calls are made with may hold anything. */
const carriers =
  /^(?:message|delta|content|parts|choices|candidates|output|response|item|serverContent|modelTurn|steps|tool_calls|toolCalls?|toolResults|toolInvocation|functionCalls)$/;

/** The objects that an answer is made of, each before those in it; of several answers in one, the first. */
function recordsIn(value: unknown, depth: number): WireRecord[] {
  if (Array.isArray(value) && depth > 0) return value.flatMap((entry) => recordsIn(entry, depth - 1));
  if (!isRecord(value) || depth === 0) return [];
  // What stands beside the id of a call was put there by a model or a tool.
  if (answeredId(value) !== undefined) return [value];
  // Getters of classes are left alone: reading one may start a stream.
  const held = Object.entries(value).flatMap(([field, inner]) => {
    if (!carriers.test(field)) return [];
    return recordsIn(/^c(?:hoices|andidates)$/.test(field) && Array.isArray(inner) ? inner[0] : inner, depth - 1);
  });
  return [value, ...held];
}

/** The id of the call that a result answers, or of a call that is named in the same way. */
function answeredId({ toolCallId, call_id, tool_use_id, tool_call_id }: WireRecord): unknown {
  return toolCallId ?? call_id ?? tool_use_id ?? tool_call_id;
}

/** Whether a piece of a stream of Chat Completions holds calls of which more is to come. */
function isBegun({ delta, index, function: alone }: WireRecord): boolean {
  const calls = isRecord(delta) ? recordsOf(delta.tool_calls) : [];
  if (typeof index === 'number' && isRecord(alone) && !alone.name) return true;
  return calls.some(({ function: called, custom = called }) => {
    const { name, arguments: text = '' } = isRecord(custom) ? custom : {};
    return !name || (isRecord(called) && typeof parseArguments(text) === 'string');
  });
}

/** The fields of an object, each with what kind of value it has, a text in short. */
function marksOf(value: unknown): string[] {
  return Object.entries(isRecord(value) ? value : {}).map(([field, held]) =>
    typeof held === 'string'
      ? `${field}=${held.slice(0, 50)}`
      : `${field}${Array.isArray(held) ? '[' : isRecord(held) ? '{' : '!'}`,
  );
}
