import type { FunctionTool, ToolOutputFileContent, ToolOutputImage, ToolOutputText } from '@openai/agents';
import type { PlainCallResult } from '../core/call.js';
import type { Caller } from '../core/context.js';
import type { ToolDefinitionJson } from '../core/registry/tool-definitions.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import type { Attachment } from '../core/tool.js';
import { AskedQuestions } from './asked-questions.js';
import { gatherCalls } from './gather-calls.js';
import { strictSchema } from './openai-strict.js';
import { plainObjectSchema } from './plain-object-schema.js';
import { attachmentNote, attachmentsOf, contextText, noOutput, resultText } from './result-text.js';
import { isSendableImage, isSendablePdf } from './sendable-media.js';

type OutputPart = ToolOutputText | ToolOutputImage | ToolOutputFileContent;

/** How tools are made for the OpenAI Agents SDK. */
export interface AgentToolOptions {
  /**
   * Who asks for approval. `sdk`: calls that need an answer become `interruptions` of the run. `toolkit`: they go to
   * `permissions.onAsk` while the call waits. Default `sdk`.
   */
  readonly approvals?: 'sdk' | 'toolkit' | undefined;
}

/**
 * The tools that a caller is offered, for an `Agent`. The model reads text, images and PDFs of a result, a failure with
 * `Error: ` in front; the code of its error stands in the `customData` of the item.
 */
export function toAgentTools(
  toolkit: Toolkit,
  caller?: Caller,
  { approvals = 'sdk' }: AgentToolOptions = {},
): FunctionTool[] {
  const start = gatherCalls(toolkit);
  const asked = AskedQuestions.of(toolkit, caller);
  const together = inOneTick<string | undefined>();
  const facts = new WeakMap<object, PlainCallResult>();
  const needsApproval = async (name: string, input: unknown, callId = '') => {
    // The calls of a step are asked about side by side, and start in the order in which they were asked about.
    const question = await together(asked.questionOf(callId, name, input));
    if (question !== undefined) asked.note(callId, question);
    return question !== undefined;
  };
  const toolOf = ({ name, description, inputSchema }: ToolDefinitionJson): FunctionTool => {
    const exact = strictSchema(inputSchema);
    return {
      type: 'function',
      name,
      description,
      parameters: (exact ?? plainObjectSchema(inputSchema)) as FunctionTool['parameters'],
      strict: exact !== undefined,
      isEnabled: () => Promise.resolve(true),
      needsApproval: async (_context, input, callId) => approvals === 'sdk' && (await needsApproval(name, input, callId)),
      invoke: async (context, input, details) => {
        const { toolCall, signal } = details ?? {};
        const id = toolCall?.callId;
        const isApproved = id !== undefined && context.isToolApproved({ toolName: name, callId: id }) === true;
        const answers = isApproved ? asked.takeApproval(id) : {};
        const result = await start({ id, name, input, caller, signal, answers });
        if (toolCall !== undefined) facts.set(toolCall, result);
        return outputOf(result);
      },
    };
  };
  return toolkit.definitions(caller).map(toolOf);
}
