/**
 * LangChain: the tools in a node of a graph, and the whole results for the host.
 *
 * npx tsx examples/langchain.ts   needs no network and no key: the message of the model is scripted
 */
import { AIMessage } from '@langchain/core/messages';
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { toLangChainTools } from 'toolwright/langchain';
import { inWorkspace } from './adapters/workspace.js';

await inWorkspace(async ({ toolkit, calls, expected }) => {
  const tools = toLangChainTools(toolkit, { caller: { sessionId: 'thread-1' } });
  // In a real program: new ChatAnthropic({ … }).bindTools(tools), called in its own node.
  const said = new AIMessage({
    content: '',
    tool_calls: calls.map(({ id, name, input }) => ({ type: 'tool_call', id, name, args: input })),
  });
  const graph = new StateGraph(MessagesAnnotation).addNode('tools', new ToolNode(tools)).addEdge('__start__', 'tools');
  const { messages } = await graph.compile().invoke({ messages: [said] });
  const failed = await tools.find(({ name }) => name === 'Read')?.invoke({ file_path: '/none' });
  return {
    'calls of one message ran in their order': String(messages.at(-1)?.content).startsWith(expected),
    'the host has the whole results': tools.lastResults('Bash')[0]?.metadata?.exitCode === 0,
    'a failure is said to the model': String(failed).startsWith('Error: '),
  };
});
