import type { Agent } from 'node:https';
import type { Readable } from 'node:stream';
import { neededPackage } from '../../core/needed-package.js';

/** The members used of the package `msedge-tts`. */
export interface EdgeTtsPackage {
  readonly MsEdgeTTS: new (options: { readonly agent: Agent }) => EdgeTtsConnection;
}

/** A connection to the service. */
export interface EdgeTtsConnection {
  setMetadata(voice: string, format: string, options: object): Promise<void>;
  /** Sends a text, which must be escaped for XML. */
  toStream(text: string, options: { readonly rate: number }): { readonly audioStream: Readable };
  close(): void;
  /** The WebSocket once it is connected. Its `onmessage` throws for an unknown message. */
  readonly _ws?: { onmessage: ((message: unknown) => void) | null };
}

/** Loads the optional package. */
export const loadEdgeTts = () => neededPackage<EdgeTtsPackage>('msedge-tts', 'Edge speech needs');
