import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod/v4';
import { refusals } from './dialect-schemas.js';

const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const text = z.strictObject({ type: z.literal('text'), text: z.string() });
const toolCall = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name, arguments: z.string() }),
});
const tool = z
  .strictObject({
    type: z.literal('function'),
    function: z.strictObject({
      name,
      description: z.string().optional(),
      parameters: z.record(z.string(), z.unknown()).optional(),
      strict: z.boolean().nullish(),
    }),
  })
  .superRefine((one, context) => {
    const { parameters, strict } = one.function;
    if (parameters === undefined) return;
    for (const message of refusals(parameters, strict === true ? 'openai-strict' : 'openai'))
      context.addIssue({ code: 'custom', message: `Invalid schema for function '${one.function.name}': ${message}` });
  });

const message = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.enum(['system', 'developer', 'user']),
    content: z.union([z.string(), z.array(text).min(1)]),
  }),
  z
    .strictObject({
      role: z.literal('assistant'),
      content: z.union([z.string(), z.array(text), z.null()]).optional(),
      refusal: z.string().nullish(),
      tool_calls: z.array(toolCall).min(1).optional(),
    })
    .refine(
      (one) => typeof one.content === 'string' || one.tool_calls !== undefined,
      'content or tool_calls is required',
    ),
  z.strictObject({
    role: z.literal('tool'),
    tool_call_id: z.string().min(1),
    content: z.union([z.string(), z.array(text).min(1)]),
  }),
]);

/** The schema of the parts of a request to `/v1/chat/completions` that concern tools, from the documentation. */
const request = z
  .strictObject({
    model: z.string().min(1),
    messages: z.array(message).min(1),
    tools: z.array(tool).min(1).max(128).optional(),
    tool_choice: z
      .union([
        z.enum(['none', 'auto', 'required']),
        z.strictObject({ type: z.literal('function'), function: z.strictObject({ name }) }),
      ])
      .optional(),
    parallel_tool_calls: z.boolean().optional(),
  })
  .superRefine(({ messages, tools, tool_choice: choice }, context) => {
    const say = (text: string) => context.addIssue({ code: 'custom', message: text });
    const names = (tools ?? []).map((one) => one.function.name);
    if (new Set(names).size < names.length) say('two tools have one name');
    if (choice !== undefined && tools === undefined) say('tool_choice is only allowed when tools are specified');
    if (typeof choice === 'object' && !names.includes(choice.function.name)) say('tool_choice names no tool');
    let waiting: string[] = [];
    for (const one of messages) {
      if (one.role === 'tool') {
        if (!waiting.includes(one.tool_call_id))
          say(`tool message ${one.tool_call_id} answers no preceding tool_calls`);
        waiting = waiting.filter((id) => id !== one.tool_call_id);
        continue;
      }
      if (waiting.length > 0) say(`tool_calls without an answer: ${waiting.join(', ')}`);
      waiting = one.role === 'assistant' ? (one.tool_calls ?? []).map(({ id }) => id) : [];
    }
    if (waiting.length > 0) say(`tool_calls without an answer: ${waiting.join(', ')}`);
  });

/** A call by the model of the endpoint. */
export interface EndpointCall {
  readonly name: string;
  readonly input: unknown;
}

/**
 * A local server for Chat Completions that rejects invalid requests with 400. It answers a request without tool
 * messages with these calls, and one with them with the text `done`.
 */
export async function chatEndpoint(calls: readonly EndpointCall[] = []) {
  const server = createServer((incoming, response) => {
    void bodyOf(incoming).then((body) => {
      const read = request.safeParse(body);
      const [status, answer] = read.success ? [200, completion(read.data.messages, calls)] : [400, refused(read.error)];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
}

function refused(error: z.ZodError) {
  return { error: { message: z.prettifyError(error), type: 'invalid_request_error', param: null, code: null } };
}

function completion(messages: z.output<typeof request>['messages'], calls: readonly EndpointCall[]) {
  const isAnswered = calls.length === 0 || messages.some(({ role }) => role === 'tool');
  const made = calls.map((call, at) => ({
    id: `call_${at}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  }));
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'scripted',
    choices: [
      {
        index: 0,
        logprobs: null,
        finish_reason: isAnswered ? 'stop' : 'tool_calls',
        message: {
          role: 'assistant',
          refusal: null,
          ...(isAnswered ? { content: 'done' } : { content: null, tool_calls: made }),
        },
      },
    ],
  };
}
