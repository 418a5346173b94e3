import type { Caller } from '../../core/context.js';
import type { ToolError } from '../../core/error.js';
import { isRecord } from '../../core/support/is-record.js';
import type { Elicitation } from '../../ports/mcp-client.js';

/** The code of the protocol for a call that needs addresses visited first. */
const visitRequired = -32_042;

/** Whose call it is. */
interface VisitScope {
  readonly caller?: Caller;
  readonly signal: AbortSignal;
}

/** Has the person asked to visit what an error of a server names, and answers the error with what came of it. */
export async function askForVisits(
  server: string,
  error: ToolError,
  elicitation: Elicitation | undefined,
  { caller = { sessionId: `mcp:${server}` }, signal }: VisitScope,
): Promise<ToolError> {
  const { code, data } = isRecord(error.cause) ? error.cause : {};
  const wanted = code === visitRequired && isRecord(data) && Array.isArray(data.elicitations) ? data.elicitations : [];
  const actions: unknown[] = [];
  for (const one of elicitation === undefined ? [] : wanted) {
    if (signal.aborted || !isRecord(one) || typeof one.url !== 'string' || !URL.canParse(one.url)) continue;
    const { url, message } = one;
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
