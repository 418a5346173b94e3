import { join } from 'node:path';
import { type Answers, createPermissions, createToolkit, type ToolCall } from 'toolwright';
import { fileSuspensions } from 'toolwright/guards';

/** The configuration of a handler, the same for all instances. */
export interface HandlerOptions {
  /** The workspace of the calls. */
  readonly root: string;
  /** The folder in which the instances record the calls that have run. */
  readonly shared: string;
  readonly secret: string;
}

/**
 * Answers one request, in any instance. Nothing is kept in memory: the browser keeps the suspended turn, whose
 * signature detects changes.
 *
 * - `POST /turn { calls }` answers `{ status: 'done', results }`, or `{ status: 'suspended', results, questions,
 *   suspension }`
 * - `POST /answers { suspension, answers }` answers the same
 *
 * It has no login. A real handler takes the caller from its session, never from the body.
 */
export async function handle(request: Request, { root, shared, secret }: HandlerOptions): Promise<Response> {
  const toolkit = createToolkit({
    root,
    permissions: createPermissions({ root, allow: ['Edit(drafts/**)'] }),
    suspensionSecret: secret,
    hosts: { suspensions: fileSuspensions(join(shared, 'suspensions')) },
  });
  const caller = { sessionId: 'ann' };
  const { pathname } = new URL(request.url);
  const body = (await request.json()) as {
    readonly calls: readonly ToolCall[];
    readonly suspension: string;
    readonly answers: Answers;
  };
  try {
    if (pathname === '/turn') return Response.json(await toolkit.execute(body.calls, { caller, approvals: 'suspend' }));
    if (pathname === '/answers') return Response.json(await toolkit.resume(body.suspension, body.answers, { caller }));
    return Response.json({ error: 'There is no such page.' }, { status: 404 });
  } catch (error) {
    // Invalid calls, suspensions and answers.
    if (error instanceof TypeError) return Response.json({ error: error.message }, { status: 400 });
    throw error;
  } finally {
    await toolkit.dispose();
  }
}
