import { join } from 'node:path';
import { type Answers, createPermissions, createToolkit, type ToolCall } from 'toolwright';
import { fileSuspensions } from 'toolwright/guards';

/** What a handler is deployed with; the same for every instance of it. */
export interface HandlerOptions {
  /** The folder that calls work in. */
  readonly root: string;
  /** Where instances share which calls have run. */
  readonly shared: string;
  readonly secret: string;
}

/**
 * One request, answered by whichever instance gets it. Nothing of it stays in memory: what a turn was left with is in
 * the browser, which cannot change it unnoticed.
 *
 * - `POST /turn { calls }` answers `{ status: 'done', results }`, or `{ status: 'suspended', results, questions,
 *   suspension }`
 * - `POST /answers { suspension, answers }` answers the same
 *
 * It has no login: a real one takes the caller from its session, and never from the body.
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
    // Calls, suspensions and answers that are none.
    if (error instanceof TypeError) return Response.json({ error: error.message }, { status: 400 });
    throw error;
  } finally {
    await toolkit.dispose();
  }
}
