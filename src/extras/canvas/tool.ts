import type { output } from 'zod/v4/core';
import { ToolError } from '../../core/error.js';
import type { Toolkit } from '../../core/registry/toolkit.js';
import { actionInput } from '../../core/schema/action-input.js';
import { anything, text, withRule } from '../../core/schema/fields.js';
import { assertMethods } from '../../core/support/check-values.js';
import { lazily } from '../../core/support/once.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import { askHost } from '../../ports/ask-host.js';
import { resourcesOf } from '../../tools/toolkit-resources.js';
import type { CanvasPlace, CanvasServer, CanvasSnapshot } from './canvas.js';

const port = { port: 'the server of canvases', timeoutMs: 30_000 };
const maxHtmlChars = 100_000;
const maxDataChars = 50_000;
const usualId = 'main';

const input = lazily(() =>
  actionInput(
    {
      show: { needs: ['html'], takes: ['data', 'id'] },
      update: { needs: ['data'], takes: ['id'] },
      snapshot: { takes: ['id'] },
      clear: { takes: ['id'] },
    },
    {
      html: text(
        'A page or a fragment, with inline styles and scripts. Elements with data-event="name" send their clicks',
        { maxLength: maxHtmlChars },
      ),
      data: anything(),
      id: withRule(
        text(`Name of the canvas. Default: ${usualId}; for snapshot and clear: all canvases`),
        (id) => /^[\w-]{1,40}$/.test(id),
        'expected letters, digits, - and _, at most 40',
      ),
    },
  ),
);
type CanvasInput = output<ReturnType<typeof input>>;

const serverMethods = ['show', 'update', 'snapshot', 'clear', 'subscribe', 'endSession', 'dispose'];

/**
 * The tool `canvas`: agents show pages to users, who open them in a browser. A click becomes an event `canvas-event` of
 * the session, and the agent reads the event by the action `snapshot`. When a session ends, its canvases are removed.
 * When the toolkit is disposed, so is the server. Throws a TypeError for invalid arguments.
 */
export function canvasTool(server: CanvasServer, toolkit: Toolkit): Tool<CanvasInput> {
  const write = 'canvasTool(await canvasServer(), toolkit)';
  assertMethods('canvasTool takes a server of canvases', server, serverMethods, write);
  const { tell } = resourcesOf('canvasTool', toolkit);
  const used = new Set<string>();
  const leave = server.subscribe(({ sessionId, id, event }) => {
    if (used.has(sessionId)) tell({ type: 'canvas-event', sessionId, id, event }, { sessionId });
  });
  toolkit.attach({
    endSession: async (sessionId) => {
      if (used.delete(sessionId)) await server.endSession(sessionId);
    },
    dispose: async () => {
      leave();
      await server.dispose();
    },
  });
  return Tool.define('canvas', {
    description:
      'Show users a page in their browser: a form, a chart, a board. The page has no network access. Its scripts read ' +
      'canvas.data, subscribe with canvas.onData(listener) and send with canvas.send(event); snapshot returns the events.',
    input: input(),
    examples: [{ action: 'show', html: '<button data-event="approve">Approve</button>' }],
    sideEffect: 'mutating',
    groups: ['ui'],
    risk: () => 'low',
    title: ({ action, id }) => `canvas ${action} ${id ?? (action === 'show' || action === 'update' ? usualId : 'all')}`,
    preview: (given) => ('html' in given ? given.html : 'data' in given ? JSON.stringify(given.data, null, 2) : ''),
    footprint: (_, { caller }) => ({ reads: 'nothing', writes: [`canvas ${caller.sessionId}`] }),
    async execute(given, context): Promise<ToolResult> {
      used.add(context.caller.sessionId);
      const ask = <Answer>(request: Parameters<typeof askHost<Answer>>[2], isUsable = (_: Answer) => true) =>
        askHost({ ...port, isUsable }, context, request);
      const { id } = given;
      switch (given.action) {
        case 'show': {
          assertSmall(given.data);
          const canvas = { id: id ?? usualId, html: given.html, data: given.data };
          return placeResult(`Canvas ${canvas.id} is shown`, await ask((scope) => server.show(canvas, scope), isPlace));
        }
        case 'update': {
          assertSmall(given.data);
          const change = { id: id ?? usualId, data: given.data };
          const place = await ask((scope) => server.update(change, scope), isPlace);
          return placeResult(`Canvas ${change.id} has new data`, place);
        }
        case 'snapshot':
          return snapshotResult(await ask((scope) => server.snapshot({ id }, scope), isSnapshot));
        case 'clear':
          await ask((scope) => server.clear({ id }, scope));
          return { output: id === undefined ? 'No canvas is shown any more' : `Canvas ${id} is not shown any more` };
      }
    },
  });
}

function isPlace(place: CanvasPlace | undefined): boolean {
  return typeof place?.url === 'string' && typeof place.pages === 'number';
}

function isSnapshot(snapshot: CanvasSnapshot | undefined): boolean {
  return Array.isArray(snapshot?.canvases) && Array.isArray(snapshot.events);
}

function assertSmall(data: unknown): void {
  const { length } = JSON.stringify(data) ?? '';
  if (length > maxDataChars)
    throw new ToolError('invalid_input', `data: expected at most ${maxDataChars} characters of JSON, not ${length}.`);
}

function placeResult(what: string, { url, pages }: CanvasPlace): ToolResult {
  const open = pages === 0 ? 'no page is open yet: give the user this address' : `${pages} open`;
  return { output: `${what} at ${url} (${open})`, metadata: { url, pages } };
}

function snapshotResult({ canvases, events }: CanvasSnapshot): ToolResult {
  const parts = canvases.map(({ id, html, data }) =>
    [`Canvas ${id}:`, html, ...(data === undefined ? [] : [`Its data: ${JSON.stringify(data)}`])].join('\n'),
  );
  const came = events.map(({ id, event }) => `- ${id}: ${JSON.stringify(event)}`);
  const given = 'The canvases as you gave them, without changes that scripts or users made in the page.';
  const about = canvases.length === 0 ? 'No canvas is shown.' : given;
  const back = came.length === 0 ? 'No events since the last snapshot.' : 'Events since the last snapshot:';
  const metadata = { ids: canvases.map(({ id }) => id), events: events.map(({ id, event }) => ({ id, event })) };
  return { output: [about, [back, ...came].join('\n'), ...parts].join('\n\n'), metadata };
}
