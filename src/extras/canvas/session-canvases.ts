import { ToolError } from '../../core/error.js';
import type { Timers } from '../../core/support/timers.js';
import type { CanvasContent, CanvasEvent, CanvasSnapshot } from './canvas.js';

const maxCanvases = 10;
const maxKeptEvents = 100;
/** Limit of events within `eventsMs`. No user clicks more often, but a script might. */
const maxEventsAtOnce = 50;
const eventsMs = 10_000;

export interface PlacedCanvas extends CanvasContent {
  /** Increases with each `show`. */
  readonly version: number;
}

/** An update for pages: the ids of all canvases, and the canvases that are new or have new data. */
export interface CanvasNews {
  readonly ids: readonly string[];
  readonly changed: readonly Omit<PlacedCanvas, 'html'>[];
}

/** The canvases of one session, its open pages, and its events. */
export type SessionCanvases = ReturnType<typeof sessionCanvases>;

/** Keeps the canvases of a session. */
export function sessionCanvases(sessionId: string, timers: Timers) {
  const canvases = new Map<string, PlacedCanvas>();
  const pages = new Set<(news: CanvasNews) => void>();
  let kept: readonly CanvasEvent[] = [];
  let versions = 0;
  let eventsSince = 0;
  let eventCount = 0;

  const known = (id: string): PlacedCanvas => {
    const canvas = canvases.get(id);
    if (canvas !== undefined) return canvas;
    const ids = [...canvases.keys()];
    const there = ids.length === 0 ? 'None is shown' : `There are: ${ids.join(', ')}`;
    throw new ToolError('no_match', `There is no canvas ${id}. ${there}. Show it first.`);
  };
  const newsOf = (changed: readonly PlacedCanvas[]): CanvasNews => ({
    ids: [...canvases.keys()],
    changed: changed.map(({ id, version, data }) => ({ id, version, data })),
  });
  const tell = (...changed: readonly PlacedCanvas[]): void => {
    const news = newsOf(changed);
    for (const page of pages) page(news);
  };
  const put = (canvas: PlacedCanvas): void => {
    canvases.set(canvas.id, canvas);
    tell(canvas);
  };

  return {
    sessionId,
    get isEmpty() {
      return canvases.size === 0;
    },
    get pages() {
      return pages.size;
    },
    get: (id: string) => canvases.get(id),
    show(content: CanvasContent): void {
      if (!canvases.has(content.id) && canvases.size >= maxCanvases)
        throw new ToolError('limit_reached', `${maxCanvases} canvases are shown. Clear one, or reuse its id.`);
      versions += 1;
      put({ ...content, version: versions });
    },
    update({ id, data }: Pick<CanvasContent, 'id' | 'data'>): void {
      put({ ...known(id), data });
    },
    clear(id?: string): void {
      if (id === undefined) canvases.clear();
      else canvases.delete(known(id).id);
      tell();
    },
    snapshot(id?: string): CanvasSnapshot {
      const shown = id === undefined ? [...canvases.values()] : [known(id)];
      const isMeant = (event: CanvasEvent) => id === undefined || event.id === id;
      const events = kept.filter(isMeant);
      kept = kept.filter((event) => !isMeant(event));
      return { canvases: shown.map(({ version: _, ...content }) => content), events };
    },
    /** Records an event. Returns undefined for an unknown canvas, and above `maxEventsAtOnce`. */
    take(id: string, event: unknown): CanvasEvent | undefined {
      const now = timers.now();
      if (now - eventsSince >= eventsMs) {
        eventsSince = now;
        eventCount = 0;
      }
      eventCount += 1;
      if (!canvases.has(id) || eventCount > maxEventsAtOnce) return undefined;
      const taken = { sessionId, id, event };
      kept = [...kept, taken].slice(-maxKeptEvents);
      return taken;
    },
    /** Sends all canvases to a page now, and each later change, until the returned function is called. */
    watch(page: (news: CanvasNews) => void): () => void {
      pages.add(page);
      page(newsOf([...canvases.values()]));
      return () => void pages.delete(page);
    },
  };
}
