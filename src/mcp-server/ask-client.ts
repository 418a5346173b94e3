import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { AskAnswer, PermissionQuestion } from '../core/permission-question.js';
import { cutTo } from '../core/text/cut.js';
import type { Sdk } from './load-sdk.js';

/** The second argument of a request handler. */
export type RequestExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

const maxPreviewChars = 8_000;

/** Asks the user of the client a permission question. An unclear or missing answer denies the call. */
export async function askClient(
  { types }: Sdk,
  question: PermissionQuestion,
  extra: RequestExtra,
  timeout: number,
): Promise<AskAnswer> {
  const choices = question.suggestions.length === 0 ? ['allow-once', 'deny'] : ['allow-once', 'allow-always', 'deny'];
  const decision = { type: 'string' as const, title: 'Decision', enum: choices };
  const requestedSchema = { type: 'object' as const, properties: { decision }, required: ['decision'] };
  try {
    const { action, content } = await extra.sendRequest(
      { method: 'elicitation/create', params: { message: messageOf(question), requestedSchema } },
      types.ElicitResultSchema,
      { timeout, signal: extra.signal },
    );
    const chosen = choices.find((choice) => choice === content?.decision);
    if (action === 'accept' && chosen !== undefined) return chosen as AskAnswer;
    return { behavior: 'deny', message: 'The user did not allow this. Do something else, or ask them.' };
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return { behavior: 'deny', message: `The user could not be asked (${reason}). Do something else, or ask them.` };
  }
}

function messageOf({ title, preview, reason, warnings, suggestions }: PermissionQuestion): string {
  const shown = cutTo(maxPreviewChars, preview ?? '');
  return [
    `Allow this call? ${title}`,
    ...(shown === '' ? [] : [shown]),
    reason,
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...(suggestions.length === 0 ? [] : [`allow-always adds: ${suggestions.join(', ')}`]),
  ].join('\n\n');
}
