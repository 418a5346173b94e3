import { AIMessage, type BaseMessage, type ToolMessage } from '@langchain/core/messages';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { toLangChainTools } from '../../../src/adapters/langchain.js';
import type { ToolCall } from '../../../src/core/call.js';
import type { Driver, ModelReads } from '../driver.js';

/** A message of a model that makes these calls. */
function callingMessage(calls: readonly ToolCall[]): AIMessage {
  return new AIMessage({
    content: '',
    tool_calls: calls.map(({ id, name, input }) => ({
      type: 'tool_call',
      id,
      name,
      args: input as Record<string, unknown>,
    })),
  });
}

/** The results of calls as sent to a model. */
function readBy(messages: readonly BaseMessage[]): Record<string, ModelReads> {
  return Object.fromEntries(
    (messages as ToolMessage[]).map(({ tool_call_id, content, status }) => {
      const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
      const text = blocks.map((block) => ('text' in block ? String(block.text) : '')).join('\n');
      const images = blocks.filter(({ type }) => type === 'image_url').length;
      return [tool_call_id, { text, images, isError: status === 'error' }];
    }),
  );
}

export const toolNode: Driver = {
  name: 'a ToolNode of LangGraph',
  answersItself: {
    call_3_0: /did not match expected schema/,
    call_18_0: /did not match expected schema/,
    call_19_0: /"Nothing" not found/,
  },
  async step({ toolkit }, calls, signal) {
    const node = new ToolNode(toLangChainTools(toolkit));
    const { messages } = (await node.invoke({ messages: [callingMessage(calls)] }, { signal })) as {
      messages: BaseMessage[];
    };
    return readBy(messages);
  },
};
