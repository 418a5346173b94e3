import { RunContext } from '@openai/agents';
import { toAiTools } from '../../src/adapters/ai-sdk.js';
import { toRunnableTools } from '../../src/adapters/anthropic.js';
import { toLangChainTools } from '../../src/adapters/langchain.js';
import { toAgentTools } from '../../src/adapters/openai-agents.js';
import type { Toolkit } from '../../src/core/registry/toolkit.js';

/** Calls a tool as a framework does. Returns the text of the result or of the thrown error. */
export type CallTool = (call: FrameworkCall) => Promise<string>;

export interface FrameworkCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly signal?: AbortSignal;
}

/** Frameworks that start calls in parallel. */
export const frameworks: readonly {
  readonly name: string;
  readonly open: (toolkit: Toolkit) => { readonly call: CallTool; readonly schemas: readonly object[] };
}[] = [
  {
    name: 'ai-sdk',
    open: (toolkit) => {
      const tools = toAiTools(toolkit, undefined, { approvals: 'toolkit' });
      return {
        schemas: Object.values(tools).map(({ inputSchema }) => (inputSchema as { jsonSchema: object }).jsonSchema),
        call: async ({ id, name, input, signal }) => {
          const tool = tools[name];
          const options = { toolCallId: id, messages: [], ...(signal === undefined ? {} : { abortSignal: signal }) };
          let output: unknown;
          const outputs = tool?.execute?.(input, options) as AsyncIterable<unknown>;
          for await (const one of outputs) output = one;
          const read = await tool?.toModelOutput?.({ toolCallId: id, input, output });
          return JSON.stringify(read);
        },
      };
    },
  },
  {
    name: 'openai-agents',
    open: (toolkit) => {
      const tools = toAgentTools(toolkit, undefined, { approvals: 'toolkit' });
      return {
        schemas: tools.map(({ parameters }) => parameters),
        call: async ({ id, name, input, signal }) => {
          const tool = tools.find((one) => one.name === name);
          const text = typeof input === 'string' ? input : JSON.stringify(input);
          const toolCall = { type: 'function_call' as const, callId: id, name, arguments: text };
          const details = { toolCall, ...(signal === undefined ? {} : { signal }) };
          return JSON.stringify(await tool?.invoke(new RunContext(), text, details));
        },
      };
    },
  },
  {
    name: 'langchain',
    open: (toolkit) => {
      // A list is reused for the same options, but each test needs its own list.
      const tools = toLangChainTools(toolkit, { onToolResult: () => undefined });
      return {
        schemas: tools.map(({ schema }) => schema as object),
        call: async ({ id, name, input, signal }) => {
          const call = { type: 'tool_call' as const, id, name, args: input as Record<string, unknown> };
          const config = signal === undefined ? {} : { signal };
          const message: unknown = await tools
            .find((one) => one.name === name)
            ?.invoke(call, config)
            .catch(String);
          return typeof message === 'string' ? message : JSON.stringify((message as { content: unknown }).content);
        },
      };
    },
  },
  {
    name: 'anthropic, tool runner',
    open: (toolkit) => {
      const tools = toRunnableTools(toolkit);
      return {
        schemas: tools.map(({ input_schema }) => input_schema),
        call: async ({ id, name, input, signal }) => {
          const run = tools.find((one) => one.name === name)?.run(input, { toolUse: { id }, signal });
          return await (run ?? Promise.reject(new Error(name))).then(JSON.stringify, String);
        },
      };
    },
  },
];
