import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { McpResourcePage } from '../ports/mcp-client.js';
import { listIn, readResource, readTemplate } from './lists/read-server-result.js';
import type { SupervisedServer } from './supervised-server.js';

/** Lists one page of the resources of a server; the first page also lists all resource templates. */
export async function resourcePage(
  server: SupervisedServer,
  cursor: string | undefined,
  scope: CallScope,
): Promise<McpResourcePage> {
  await server.ready();
  if (!server.has('resources')) return { resources: [] };
  const params = cursor === undefined ? {} : { cursor: sentCursor(cursor) };
  const { resources, nextCursor: next } = await server.request({ method: 'resources/list', params, scope });
  const nextCursor = keptCursor(next);
  return {
    resources: listIn(resources, 'resources').flatMap((entry) => readResource(server.name, entry)),
    ...(cursor === undefined && { templates: await templatesOf(server, scope.signal) }),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

/**
 * Lists one page of the resources of several servers, in order. A cursor encodes the name of a server and that server's
 * own cursor. A server that fails is skipped.
 */
export async function resourcePageOfAll(
  servers: readonly SupervisedServer[],
  cursor: string | undefined,
  scope: CallScope,
): Promise<McpResourcePage> {
  const [name, inner] = cursor === undefined ? [undefined, undefined] : parseCursor(cursor);
  await Promise.allSettled(servers.map((server) => server.ready()));
  const start = name === undefined ? 0 : servers.findIndex((server) => server.name === name);
  if (start === -1) throw foreignCursor();
  for (const [index, server] of servers.entries()) {
    if (index < start || !server.has('resources')) continue;
    const next = servers.slice(index + 1).find((other) => other.has('resources'))?.name;
    const page = await resourcePage(server, index === start ? inner : undefined, scope).catch((thrown: unknown) => {
      if (scope.signal.aborted) throw thrown;
      return undefined;
    });
    if (page === undefined) continue;
    const following = page.nextCursor === undefined ? next && [next] : [server.name, page.nextCursor];
    const { nextCursor: _, ...rest } = page;
    return following ? { ...rest, nextCursor: JSON.stringify(following) } : rest;
  }
  return { resources: [] };
}

/** Lists all resource templates of a server. The list is empty if the server cannot list templates. */
async function templatesOf(server: SupervisedServer, signal: AbortSignal) {
  const { items } = await server.list('resources/templates/list', 'resourceTemplates', signal).catch(() => {
    if (signal.aborted) throw new ToolError('interrupted', 'The call was stopped before it had an answer.');
    return { items: [] };
  });
  return items.flatMap((entry) => readTemplate(server.name, entry));
}

/** The prefix for a cursor that the server gave as a number, against the specification, and expects as a number. */
const numberMark = 'toolwright:number:';

/** The text of a server's cursor; undefined after the last page. Some servers mark the last page by the cursor 0. */
function keptCursor(given: unknown): string | undefined {
  if (typeof given === 'number' && given !== 0) return `${numberMark}${given}`;
  return typeof given === 'string' ? given : undefined;
}

function sentCursor(cursor: string): string | number {
  return cursor.startsWith(numberMark) ? Number(cursor.slice(numberMark.length)) : cursor;
}

function parseCursor(cursor: string): readonly [server: string | undefined, cursor: string | undefined] {
  try {
    const [name, inner] = JSON.parse(cursor) as readonly unknown[];
    return [String(name), typeof inner === 'string' ? inner : undefined];
  } catch {
    throw foreignCursor();
  }
}

function foreignCursor(): ToolError {
  return new ToolError(
    'invalid_input',
    'This cursor does not come from a list of resources. List the resources again without a cursor.',
  );
}
