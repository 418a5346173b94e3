import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Caller, CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { mcpNumbers } from '../../core/fixed-limits.js';
import type { JsonSchemaObject } from '../../core/schema/json-schema.js';
import { isRecord } from '../../core/support/check-values.js';
import type { Timers } from '../../core/support/timers.js';
import { parseHttpUrl } from '../../core/support/urls.js';
import type { Elicitation, McpAnswers, McpSamplingRequest } from '../../ports/mcp-client.js';
import type { loadSdk, SdkClient } from './sdk.js';

/** A server, the handlers for its requests, and its open requests. */
export interface AnswerOptions {
  readonly server: string;
  readonly answers: McpAnswers;
  readonly questions: ServerQuestions;
}

/** The client capabilities that are announced to a server. */
export function capabilitiesOf({ sampling, elicitation, roots }: McpAnswers) {
  return {
    ...(sampling && { sampling: {} }),
    ...(elicitation && { elicitation: { form: {}, url: {} } }),
    ...(roots && { roots: {} }),
  };
}

/** Registers the handlers for requests of a server. Errors of the host are not sent to the server. */
export function answerServer(
  client: SdkClient,
  types: Awaited<ReturnType<typeof loadSdk>>['types'],
  { server, answers, questions }: AnswerOptions,
): void {
  const { sampling, elicitation, roots } = answers;
  const answer = <Answer>(signal: AbortSignal, work: (scope: CallScope) => Promise<Answer>) =>
    questions.put((scope) => work({ ...scope, signal: AbortSignal.any([scope.signal, signal]) }));
  if (roots !== undefined)
    client.setRequestHandler(types.ListRootsRequestSchema, () => {
      try {
        return { roots: roots().map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) })) };
      } catch {
        throw new Error('The host could not list its roots.');
      }
    });
  if (sampling !== undefined)
    client.setRequestHandler(types.CreateMessageRequestSchema, async ({ params }, { signal }) => {
      const { messages, systemPrompt, maxTokens, temperature, stopSequences, modelPreferences } = params;
      const wishes = { systemPrompt, maxTokens, temperature, stopSequences, modelPreferences };
      const request = { server, messages, ...wishes } as McpSamplingRequest;
      const { model, text, stopReason } = await answer(signal, (scope) => sampling.sample(request, scope)).catch(() => {
        throw new Error('The host could not complete the sampling request.');
      });
      const content = { type: 'text' as const, text };
      return { model, role: 'assistant' as const, content, ...(stopReason !== undefined && { stopReason }) };
    });
  if (elicitation !== undefined)
    client.setRequestHandler(types.ElicitRequestSchema, async ({ params }, { signal }) => {
      const { message } = params;
      const schema = 'requestedSchema' in params ? (params.requestedSchema as JsonSchemaObject) : undefined;
      const url = 'url' in params ? params.url : undefined;
      if (url !== undefined && !isWebAddress(url)) throw new Error('Only an http or https address can be opened.');
      const request = { server, message, schema, url };
      const answered = await answer(signal, (scope) => elicitation.elicit(request, scope)).catch(() => undefined);
      const { action = 'cancel', content } = answered ?? {};
      return { action, ...(action === 'accept' && isRecord(content) && { content: content as never }) };
    });
}

/** The server that sends the requests, and a signal that aborts when its connection ends. */
interface ServerQuestionsOptions {
  readonly server: string;
  readonly timers: Timers;
  readonly signal: AbortSignal;
  /** Called when a request has its answer, before the answer is sent. */
  onAnswered(): void;
}

/** The requests of one server that the client has not answered yet, see {@link serverQuestions}. */
export type ServerQuestions = ReturnType<typeof serverQuestions>;

/**
 * Keeps the requests of one server that the client has not answered yet. The protocol does not say which tool call a
 * request belongs to: it can be any call that started within the last `maxCallMs` milliseconds, even an ended call.
 */
export function serverQuestions({ server, timers, signal, onAnswered }: ServerQuestionsOptions) {
  const callers = new Map<string, { readonly caller: Caller; readonly until: number }>();
  let open = 0;
  let answeredAt = Number.NEGATIVE_INFINITY;
  const forget = () => {
    for (const [sessionId, { until }] of callers) if (until <= timers.now()) callers.delete(sessionId);
  };
  const answer = async <Answer>(work: (scope: CallScope) => Promise<Answer>): Promise<Answer> => {
    forget();
    const [one, ...others] = callers.values();
    if (others.length > 0)
      throw new ToolError(
        'not_allowed',
        'Several sessions have called this server recently, so it is unclear whom its request is for.',
      );
    return await work({ caller: one?.caller ?? { sessionId: `mcp:${server}` }, signal });
  };
  return {
    /** Whether the server waits for an answer. */
    isOpen: () => open > 0,
    /** When the server last stopped waiting for an answer; the present time while it waits. */
    waitedUntil: () => (open > 0 ? timers.now() : answeredAt),
    /** Records a call. Later requests of the server may belong to this call. */
    mayComeFrom: (caller: Caller, maxCallMs: number) => {
      forget();
      callers.set(caller.sessionId, { caller, until: timers.now() + maxCallMs });
    },
    /** Answers a request. Throws if too many are open; rejects if the request may belong to more than one session. */
    put: <Answer>(work: (scope: CallScope) => Promise<Answer>): Promise<Answer> => {
      if (open >= mcpNumbers.maxQuestions)
        throw new ToolError('limit_reached', `Ask at most ${mcpNumbers.maxQuestions} questions at once.`);
      open++;
      return answer(work).finally(() => {
        open--;
        answeredAt = timers.now();
        onAnswered();
      });
    },
  };
}

/** The protocol's error code for a call that requires the user to visit some URLs first. */
const visitRequired = -32_042;
/** The user is asked about at most this many addresses of one error. */
const maxVisits = 3;

interface Visit {
  readonly url: string;
  readonly message?: unknown;
}

function isWebAddress(url: unknown): url is string {
  return parseHttpUrl(url) !== undefined;
}

/** The caller and the signal of the failed call. */
interface VisitScope {
  readonly caller?: Caller;
  readonly signal: AbortSignal;
}

/**
 * Asks the user to visit the addresses in an error of a server. Returns the error with the outcome in its message.
 */
export async function askForVisits(
  server: string,
  error: ToolError,
  elicitation: Elicitation | undefined,
  { caller = { sessionId: `mcp:${server}` }, signal }: VisitScope,
): Promise<ToolError> {
  const { code, data } = isRecord(error.cause) ? error.cause : {};
  const wanted = code === visitRequired && isRecord(data) && Array.isArray(data.elicitations) ? data.elicitations : [];
  const actions: unknown[] = [];
  const asked = wanted.filter((one): one is Visit => isRecord(one) && isWebAddress(one.url)).slice(0, maxVisits);
  for (const { url, message } of elicitation === undefined ? [] : asked) {
    if (signal.aborted) break;
    const request = { server, url, message: typeof message === 'string' ? message : error.message };
    const answering = async () => await elicitation?.elicit(request, { caller, signal });
    const answered = await answering().catch(() => undefined);
    actions.push(answered?.action);
  }
  if (actions.length === 0) return error;
  const next = actions.every((action) => action === 'accept')
    ? 'The user agreed to open the address: call again when they are done there.'
    : 'The user did not agree to open the address: go on without this call.';
  return error.with(`${error.message} ${next}`, { cause: error.cause });
}
