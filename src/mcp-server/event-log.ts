import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Limits } from '../core/limits.js';

interface LoggedEvent {
  readonly number: number;
  readonly streamId: string;
  /** The message as JSON. */
  readonly text: string;
}

/** The latest messages of one connection, for a client that reconnects. */
export class EventLog implements EventStore {
  readonly #limits: Pick<Limits['mcpServer'], 'maxEvents' | 'maxEventChars'>;
  readonly #events: LoggedEvent[] = [];
  #count = 0;
  #chars = 0;

  constructor(limits: Pick<Limits['mcpServer'], 'maxEvents' | 'maxEventChars'>) {
    this.#limits = limits;
  }

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const event = { number: ++this.#count, streamId, text: JSON.stringify(message) };
    this.#events.push(event);
    this.#chars += event.text.length;
    while (this.#events.length > 1 && this.#isFull) this.#chars -= this.#events.shift()?.text.length ?? 0;
    return String(event.number);
  }

  /** Undefined if the event was dropped, because then later events may have been dropped too. */
  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.#events.find(({ number }) => String(number) === eventId)?.streamId;
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { readonly send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const streamId = await this.getStreamIdForEventId(lastEventId);
    if (streamId === undefined) throw new Error('this event is no longer known');
    for (const event of [...this.#events]) {
      if (event.number <= Number(lastEventId) || event.streamId !== streamId) continue;
      const message = JSON.parse(event.text) as JSONRPCMessage;
      // A stream begins with an empty event, which only provides an id to resume from.
      if ('jsonrpc' in message) await send(String(event.number), message);
    }
    return streamId;
  }

  get #isFull(): boolean {
    return this.#events.length > this.#limits.maxEvents || this.#chars > this.#limits.maxEventChars;
  }
}
