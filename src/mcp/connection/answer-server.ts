import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CallScope } from '../../core/context.js';
import type { JsonSchemaObject } from '../../core/schema/json-schema.js';
import { isRecord } from '../../core/support/is-record.js';
import type { McpAnswers, McpSamplingRequest } from '../../ports/mcp-client.js';
import type { loadSdk, SdkClient } from './sdk.js';
import type { ServerQuestions } from './server-questions.js';

/** Who answers, and on whose behalf. */
export interface AnswerOptions {
  readonly server: string;
  readonly answers: McpAnswers;
  readonly questions: ServerQuestions;
}

/** What a server is told that it may ask for. */
export function capabilitiesOf({ sampling, elicitation, roots }: McpAnswers) {
  return {
    ...(sampling && { sampling: {} }),
    ...(elicitation && { elicitation: { form: {}, url: {} } }),
    ...(roots && { roots: {} }),
  };
}

/** Lets a client answer what its server asks for. What a host throws stays with the host. */
export function answerServer(
  client: SdkClient,
  types: Awaited<ReturnType<typeof loadSdk>>['types'],
  { server, answers, questions }: AnswerOptions,
): void {
  const { sampling, elicitation, roots } = answers;
  const answer = <Answer>(signal: AbortSignal, work: (scope: CallScope) => Promise<Answer>) =>
    questions.put((scope) => work({ ...scope, signal: AbortSignal.any([scope.signal, signal]) }));
  if (roots !== undefined)
    client.setRequestHandler(types.ListRootsRequestSchema, () => ({
      roots: roots().map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) })),
    }));
  if (sampling !== undefined)
    client.setRequestHandler(types.CreateMessageRequestSchema, async ({ params }, { signal }) => {
      const { messages, systemPrompt, maxTokens, temperature, stopSequences, modelPreferences } = params;
      const wishes = { systemPrompt, maxTokens, temperature, stopSequences, modelPreferences };
      const request = { server, messages, ...wishes } as McpSamplingRequest;
      const { model, text, stopReason } = await answer(signal, (scope) => sampling.sample(request, scope)).catch(() => {
        throw new Error('The host did not sample.');
      });
      const content = { type: 'text' as const, text };
      return { model, role: 'assistant' as const, content, ...(stopReason !== undefined && { stopReason }) };
    });
  if (elicitation !== undefined)
    client.setRequestHandler(types.ElicitRequestSchema, async ({ params }, { signal }) => {
      const { message } = params;
      const schema = 'requestedSchema' in params ? (params.requestedSchema as JsonSchemaObject) : undefined;
      const url = 'url' in params ? params.url : undefined;
      const request = { server, message, schema, url };
      const answered = await answer(signal, (scope) => elicitation.elicit(request, scope)).catch(() => undefined);
      const { action = 'cancel', content } = answered ?? {};
      return { action, ...(action === 'accept' && isRecord(content) && { content: content as never }) };
    });
}
