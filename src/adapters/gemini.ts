import type { ToolCall, ToolCallResult } from '../core/call.js';
import type { Caller } from '../core/context.js';
import { definitionsOf, readCallerAndOptions, type ToolSource } from '../core/registry/adapter-arguments.js';
import type { JsonSchemaObject } from '../core/schema/json-schema.js';
import { assertOptions, isRecord, kindOf } from '../core/support/check-values.js';
import { callsIn } from './calls-in-answer.js';
import { compileDefinitions, restoreInput } from './compile-schema.js';
import { attachmentsOf, noOutput, wholeText } from './result-text.js';
import { isSendableImage, isSendablePdf } from './sendable-media.js';
import { checkedResults, type WireRecord, wireCall } from './wire-records.js';

/** A function declaration of Gemini. */
export interface GeminiFunction {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchemaObject;
}

/** An entry of `config.tools`. */
export interface GeminiTool {
  functionDeclarations: GeminiFunction[];
}

/** One answer to one call: a part of the next content of role `user`. */
export interface GeminiPart {
  functionResponse: {
    /** Present if the call had an id. */
    id?: string;
    name: string;
    response: { output: string } | { error: string };
    parts?: { inlineData: { mimeType: string; data: string } }[];
  };
}

/** Converts a toolkit or definitions into one entry of `config.tools`. */
export function toGeminiTools(source: ToolSource, caller?: Caller): GeminiTool[] {
  readCallerAndOptions('toGeminiTools', [caller], {});
  const definitions = definitionsOf('toGeminiTools', source, caller);
  return [
    {
      functionDeclarations: compileDefinitions(definitions, 'gemini').map(({ name, description, inputSchema }) => ({
        name,
        description,
        parameters: inputSchema,
      })),
    },
  ];
}

/**
 * Returns the calls in an answer: a whole response, a candidate, a content, its parts, one part, or bare function
 * calls. A call without an id gets an id from its position, which {@link toGeminiParts} leaves out again. Throws a
 * TypeError for any other value. `source` is the offered definitions or their toolkit.
 */
export function fromGemini(answer: unknown, source: ToolSource = []): ToolCall[] {
  const definitions = definitionsOf('fromGemini: definitions', source);
  return callsIn('gemini', answer, callOf)
    .map(callOf)
    .filter(isRecord)
    .map(({ id, name, args }, index) => wireCall(id ?? `${ownId}${index + 1}`, name, args ?? {}, index))
    .map((call) => ({ ...call, input: restoreInput(call, definitions, 'gemini') }));
}

/**
 * Converts each result into a `functionResponse` part, in order: `output` or `error`, followed by text added by hooks.
 * Images and PDFs become parts of the answer. Models before Gemini 3 reject such parts: with `media: false`, a line of
 * text names each attachment instead.
 */
export function toGeminiParts(results: readonly ToolCallResult[], options: { media?: boolean } = {}): GeminiPart[] {
  assertOptions('toGeminiParts', options, { media: kindOf.flag });
  return checkedResults('toGeminiParts', results).map((result) => {
    const attachments = attachmentsOf(result);
    const shown = attachments.filter((one) => options.media !== false && (isSendableImage(one) || isSendablePdf(one)));
    const unseen = attachments.filter((one) => !shown.includes(one));
    const text = wholeText(result, unseen) || noOutput;
    return {
      functionResponse: {
        ...(result.callId.startsWith(ownId) ? {} : { id: result.callId }),
        name: result.name,
        response: result.ok ? { output: text } : { error: text },
        ...(shown.length === 0
          ? {}
          : { parts: shown.map(({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } })) }),
      },
    };
  });
}

/** Prefix of the generated id of a call that had no id. */
const ownId = 'gemini_call_';

/** The call in a part, or a bare call. */
function callOf(part: WireRecord): unknown {
  if (isRecord(part.functionCall)) return part.functionCall;
  return 'name' in part && !('response' in part || 'type' in part) ? part : undefined;
}
