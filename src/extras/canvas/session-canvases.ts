import { ToolError } from '../../core/error.js';
import type { Timers } from '../../core/support/timer.js';
import type { CanvasContent, CanvasEvent, CanvasSnapshot } from './canvas-port.js';

const maxCanvases = 10;
const maxKeptEvents = 100;
/** No user clicks more often; a script might. */
const maxEventsAtOnce = 50;
const eventsMs = 10_000;

/** A canvas with its version. */
export interface PlacedCanvas extends CanvasContent {
  /** Changes with each `show`. */
  readonly version: number;
}

/** An update for pages: the ids of all canvases, and the canvases that are new or have new data. */
export interface CanvasNews {
  readonly ids: readonly string[];
  readonly changed: readonly Omit<PlacedCanvas, 'html'>[];
}

/** The canvases of one session, its open pages, and its events. */
export class SessionCanvases {
  readonly sessionId: string;
  readonly #timers: Timers;
  readonly #canvases = new Map<string, PlacedCanvas>();
  readonly #pages = new Set<(news: CanvasNews) => void>();
  #events: CanvasEvent[] = [];
  #versions = 0;
  #eventsSince = 0;
  #eventCount = 0;

  constructor(sessionId: string, timers: Timers) {
    this.sessionId = sessionId;
    this.#timers = timers;
  }

  get isEmpty(): boolean {
    return this.#canvases.size === 0;
  }

  get pages(): number {
    return this.#pages.size;
  }

  get(id: string): PlacedCanvas | undefined {
    return this.#canvases.get(id);
  }

  show(content: CanvasContent): void {
    if (!this.#canvases.has(content.id) && this.#canvases.size >= maxCanvases)
      throw new ToolError('limit_reached', `${maxCanvases} canvases are shown. Clear one, or show this in its place.`);
    this.#versions += 1;
    this.#put({ ...content, version: this.#versions });
  }

  update({ id, data }: Pick<CanvasContent, 'id' | 'data'>): void {
    this.#put({ ...this.#known(id), data });
  }

  clear(id?: string): void {
    if (id === undefined) this.#canvases.clear();
    else this.#canvases.delete(this.#known(id).id);
    this.#tell([]);
  }

  snapshot(id?: string): CanvasSnapshot {
    const shown = id === undefined ? [...this.#canvases.values()] : [this.#known(id)];
    const isMeant = (event: CanvasEvent) => id === undefined || event.id === id;
    const events = this.#events.filter(isMeant);
    this.#events = this.#events.filter((event) => !isMeant(event));
    return { canvases: shown.map(({ id, html, data }) => ({ id, html, data })), events };
  }

  /** Records an event. Returns undefined for an unknown canvas, and for too many events. */
  take(id: string, event: unknown): CanvasEvent | undefined {
    const now = this.#timers.now();
    if (now - this.#eventsSince >= eventsMs) {
      this.#eventsSince = now;
      this.#eventCount = 0;
    }
    this.#eventCount += 1;
    if (!this.#canvases.has(id) || this.#eventCount > maxEventsAtOnce) return undefined;
    const taken = { sessionId: this.sessionId, id, event };
    this.#events = [...this.#events, taken].slice(-maxKeptEvents);
    return taken;
  }

  /** Sends a page all canvases now, then each change, until the returned function is called. */
  watch(page: (news: CanvasNews) => void): () => void {
    this.#pages.add(page);
    page(this.#news([...this.#canvases.values()]));
    return () => void this.#pages.delete(page);
  }

  #known(id: string): PlacedCanvas {
    const canvas = this.#canvases.get(id);
    if (canvas !== undefined) return canvas;
    const ids = [...this.#canvases.keys()];
    const there = ids.length === 0 ? 'None is shown' : `There are: ${ids.join(', ')}`;
    throw new ToolError('no_match', `There is no canvas ${id}. ${there}. Show it first.`);
  }

  #put(canvas: PlacedCanvas): void {
    this.#canvases.set(canvas.id, canvas);
    this.#tell([canvas]);
  }

  #tell(changed: readonly PlacedCanvas[]): void {
    const news = this.#news(changed);
    for (const page of this.#pages) page(news);
  }

  #news(changed: readonly PlacedCanvas[]): CanvasNews {
    return {
      ids: [...this.#canvases.keys()],
      changed: changed.map(({ id, version, data }) => ({ id, version, data })),
    };
  }
}
