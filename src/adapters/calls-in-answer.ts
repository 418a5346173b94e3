import { argumentMistake, isRecord, kindName } from '../core/support/check-values.js';
import { parseArguments, recordsOf, type WireRecord } from './wire-records.js';

/**
 * The formats of model answers, by entry point. `reads` names the function for the format, `takes` the accepted values,
 * and `finalAnswer` the code that collects a streamed answer. The patterns match the marks that `marksOf` returns, such
 * as `content[` for a list and `type=message` for a text. `ownMarks` match only this format, `sharedMarks` also other
 * formats.
 */
const wires = {
  anthropic: {
    reads: 'fromAnthropic',
    takes: 'an answer of Anthropic or a part of it',
    finalAnswer: 'await stream.finalMessage()',
    ownMarks:
      /^(?:stop_reason\W|stop_sequence\W|content_block\W|type=(?:\w+_)?(?:tool_use|tool_result|thinking)$|type=(?:message|content_block)_)/,
    sharedMarks: /^(?:content[=[]|type=(?!message$|error$))/,
  },
  openai: {
    reads: 'fromOpenAI',
    takes: 'an answer of OpenAI or a part of it',
    finalAnswer: 'await stream.finalResponse()',
    ownMarks:
      /^(?:(?:choices|finish_reason|tool_calls|refusal|call_id|function|custom)\W|object=(?:response|chat\.completion)|type=(?:\w+_call(?:_output)?$|output_text$|response\.))/,
    sharedMarks: /^(?:content[=[]|output\[|type=(?!text$|image$|error$))/,
  },
  gemini: {
    reads: 'fromGemini',
    takes: 'an answer of Gemini or a part of it',
    finalAnswer: 'chunk',
    ownMarks:
      /^(?:(?:candidates|promptFeedback|usageMetadata|modelVersion|functionCalls?|functionResponse|inlineData|fileData|executableCode|codeExecutionResult|thoughtSignature|serverContent|setupComplete)\W|role=model$)/,
    sharedMarks: /^(?:content\{|parts\[|text=|args\{|finishReason=)/,
  },
  'ai-sdk': {
    reads: 'fromAi',
    takes: 'a result of the AI SDK, its toolCalls or messages',
    finalAnswer: 'await result.toolCalls',
    ownMarks: /^(?:(?:toolCallId|toolName|toolCalls|toolResults|toolInvocation|steps)\W|type=(?:tool-|dynamic-tool$))/,
    sharedMarks: /^(?:content[=[]|type=(?!message$|error$))/,
  },
} as const;

/** Marks of LangChain messages, which resemble the messages of providers. */
const langChain = /^lc_|^type=tool_call$/;
/** Marks of a stream chunk with an incomplete call or without a call. */
const partialMarks =
  /^type=(?:content_block_start$|response\.output_item\.added$|tool-(?:input|call)-)|^state=(?:partial-call|input-streaming)$/;
/** Marks of a call, in any format, that has no result and that the host has to run. */
const unansweredMarks =
  /^(?:function|functionCall|function_call)\{|^type=(?:tool_use|tool-call|function(?:_?call)?|functionCall|custom_tool_call)$|^state=(?:call$|input-available$|approval-)/;

/**
 * The calls without results in an answer, in order; `isCall` recognises the calls of the format. Throws a TypeError for
 * a value in another format, and for a call that `isCall` does not recognise; the message shows the code to write.
 */
export function callsIn(
  entry: keyof typeof wires,
  answer: unknown,
  isCall: (record: WireRecord) => unknown,
): WireRecord[] {
  const { reads, takes, finalAnswer, sharedMarks } = wires[entry];
  const mistake = (got: string, write: string) => argumentMistake(`${reads} takes ${takes}`, got, write);
  if (isRecord(answer) && (Symbol.asyncIterator in answer || 'textStream' in answer))
    throw mistake('a stream', `${reads}(${finalAnswer})`);
  const records = recordsIn(answer, maxDepth);
  const marks = records.flatMap(marksOf);
  const has = (wanted: RegExp, among: readonly string[] = marks) => among.some((mark) => wanted.test(mark));
  if (has(langChain)) throw mistake('a message of LangChain', 'toLangChainTools(toolkit): LangChain runs its tools');
  if (has(partialMarks) || records.some(isBegun)) throw mistake('a piece of a stream', `${reads}(${finalAnswer})`);
  // The outermost mark decides, because an answer may contain marks of other formats further inside.
  const [owner] = marks.flatMap((mark) => Object.entries(wires).filter(([, wire]) => wire.ownMarks.test(mark)));
  if (owner !== undefined && owner[0] !== entry) {
    const [name, { reads: instead }] = owner;
    throw mistake(kindName(answer), `${instead}(answer), with ${instead} from 'toolwright/${name}'`);
  }
  const parts = (Array.isArray(answer) ? recordsOf(answer) : [answer]).map(marksOf);
  // A list of messages also has calls that were answered earlier. Lists of the AI SDK are accepted, because they
  // include the results.
  const isItem = (part: readonly string[]) => entry === 'openai' && has(/^type=message$/, part);
  if (Array.isArray(answer) && entry !== 'ai-sdk' && parts.some((part) => has(/^role=/, part) && !isItem(part)))
    throw mistake('a list of messages', `${reads}(messages.at(-1))`);
  const isTyped = (part: readonly string[]) => entry === 'gemini' && has(/^type=/, part);
  const isEmpty = Array.isArray(answer) && answer.length === 0;
  const write = `${reads}(answer) with the answer of the SDK`;
  if (owner === undefined && !isEmpty && !parts.some((part) => has(sharedMarks, part) && !isTyped(part)))
    throw mistake(kindName(answer), write);
  const unread = records.find((record) => !isCall(record) && has(unansweredMarks, marksOf(record)));
  if (unread !== undefined) throw mistake(`a call in an unknown form, ${kindName(unread)}`, write);
  const answered = new Set(records.filter((record) => !isCall(record)).map(answeredId));
  return records.filter((record) => isCall(record) && !answered.has(answeredId(record) ?? record.id ?? {}));
}

/** The nesting from a response down to the parts of its messages. */
const maxDepth = 12;
/** Fields that contain parts of an answer. The inputs of calls are not searched. */
const partFields =
  /^(?:message|delta|content|parts|choices|candidates|output|response|item|serverContent|modelTurn|steps|tool_calls|toolCalls?|toolResults|toolInvocation|functionCalls)$/;

/** The objects of an answer, outer objects first. If there are several choices, only the first one is read. */
function recordsIn(value: unknown, depth: number): WireRecord[] {
  if (Array.isArray(value) && depth > 0) return value.flatMap((entry) => recordsIn(entry, depth - 1));
  if (!isRecord(value) || depth === 0) return [];
  // Inside an object with a call id there is only data of a model or a tool.
  if (answeredId(value) !== undefined) return [value];
  // Getters of classes are not read: reading one may start a stream.
  const parts = Object.entries(value).flatMap(([field, inner]) => {
    if (!partFields.test(field)) return [];
    return recordsIn(/^c(?:hoices|andidates)$/.test(field) && Array.isArray(inner) ? inner[0] : inner, depth - 1);
  });
  return [value, ...parts];
}

/** The call id of a result, or of a call with the same field. */
function answeredId({ toolCallId, call_id, tool_use_id, tool_call_id }: WireRecord): unknown {
  return toolCallId ?? call_id ?? tool_use_id ?? tool_call_id;
}

/** Whether a chunk of a Chat Completions stream has incomplete calls. */
function isBegun({ delta, index, function: alone }: WireRecord): boolean {
  const calls = isRecord(delta) ? recordsOf(delta.tool_calls) : [];
  if (typeof index === 'number' && isRecord(alone) && !alone.name) return true;
  return calls.some(({ function: called, custom = called }) => {
    const { name, arguments: text = '' } = isRecord(custom) ? custom : {};
    return !name || (isRecord(called) && typeof parseArguments(text) === 'string');
  });
}

/** The marks of an object: each field with the kind of its value, or with the first 50 characters of a text. */
function marksOf(value: unknown): string[] {
  return Object.entries(isRecord(value) ? value : {}).map(([field, inner]) =>
    typeof inner === 'string'
      ? `${field}=${inner.slice(0, 50)}`
      : `${field}${Array.isArray(inner) ? '[' : isRecord(inner) ? '{' : '!'}`,
  );
}
