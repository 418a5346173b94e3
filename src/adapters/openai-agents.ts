import type { FunctionTool, ToolOutputFileContent, ToolOutputImage, ToolOutputText } from '@openai/agents';
import type { PlainCallResult } from '../core/call.js';
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
import { oneOf } from '../core/support/check-values.js';
import { LatestMap } from '../core/support/latest-map.js';
import type { Attachment } from '../core/tool-result.js';
import { compileDefinitions, compileSchema } from './compile-schema.js';
import { pendingApprovals } from './pending-approvals.js';
import { partsOf } from './result-text.js';
import { answerTogether, gatherCalls } from './run-together.js';
import { isSendableImage, isSendablePdf } from './sendable-media.js';

type OutputPart = ToolOutputText | ToolOutputImage | ToolOutputFileContent;

/** Options of tools for the OpenAI Agents SDK. */
export interface AgentToolOptions extends ChosenTools {
  /**
   * How calls get approval. `sdk`: a call that needs an answer becomes one of the `interruptions` of the run.
   * `toolkit`: the call waits for `permissions.onAsk`. Default `sdk`.
   */
  readonly approvals?: 'sdk' | 'toolkit' | undefined;
}

/**
 * Creates a caller's tools for an `Agent`. The model gets the text, images and PDFs of a result. The text of a failure
 * begins with `Error: `; the error code is in the `customData` of the item.
 */
export function toAgentTools(toolkit: Toolkit, ...rest: CallerOr<AgentToolOptions>): FunctionTool[] {
  assertToolkit('toAgentTools', toolkit);
  const kinds = { approvals: oneOf('sdk', 'toolkit'), definitions: definitionsKind };
  const { caller, options } = readCallerAndOptions<AgentToolOptions>('toAgentTools', rest, kinds);
  const start = gatherCalls(toolkit);
  const asked = pendingApprovals(toolkit, caller);
  const answerInOneTick = answerTogether<string | undefined>();
  const facts = new LatestMap<string, Record<string, unknown>>(stateNumbers.maxDecidedCalls);
  const needsApproval = async (name: string, input: unknown, callId = '') => {
    // The SDK asks about the calls of a step in parallel. Answers in one tick start the calls as one turn, in order.
    const question = await answerInOneTick(asked.questionOf(callId, name, input));
    if (question !== undefined) asked.note(callId, question);
    return question !== undefined;
  };
  const toolOf = ({ name, description, inputSchema, sending }: ToolDefinitionJson): FunctionTool => {
    const exact = compileSchema(inputSchema, 'openai-strict').schema;
    return {
      type: 'function',
      name,
      description,
      parameters: (exact ?? inputSchema) as FunctionTool['parameters'],
      strict: exact !== undefined,
      ...(sending?.deferLoading === true ? { deferLoading: true } : {}),
      isEnabled: () => Promise.resolve(true),
      needsApproval: async (_context, input, callId) =>
        options.approvals !== 'toolkit' && (await needsApproval(name, input, callId)),
      invoke: async (context, input, details) => {
        const { toolCall, signal } = details ?? {};
        const id = toolCall?.callId;
        const isApproved = id !== undefined && context.isToolApproved({ toolName: name, callId: id }) === true;
        const answers = isApproved ? asked.takeApproval(id) : {};
        const result = await start({ id, name, input, caller, signal, answers });
        if (id !== undefined) facts.set(id, factsOf(result));
        return partsOf<OutputPart>(result, (text) => ({ type: 'text', text }), attachmentPart);
      },
      customDataExtractor: ({ toolCall }) => {
        const known = facts.get(toolCall.callId);
        facts.delete(toolCall.callId);
        return known;
      },
    };
  };
  return compileDefinitions(options.definitions ?? toolkit.definitions(caller), 'openai').map(toolOf);
}

function factsOf(result: PlainCallResult): Record<string, unknown> {
  const { ok, title, metadata } = { title: undefined, ...result };
  return { ok, title, metadata, ...(result.ok ? {} : { error: result.error }) };
}

function attachmentPart(attachment: Attachment): OutputPart | undefined {
  const { mediaType, data, name = 'document.pdf' } = attachment;
  if (isSendableImage(attachment)) return { type: 'image', image: `data:${mediaType};base64,${data}` };
  if (isSendablePdf(attachment)) return { type: 'file', file: { data, mediaType, filename: name } };
  return undefined;
}
