import type { Agent } from 'node:https';
import type { Readable } from 'node:stream';
import { neededPackage } from '../../core/needed-package.js';

/** What is used of the package `msedge-tts`. */
export interface EdgeTtsPackage {
  readonly MsEdgeTTS: new (options: { readonly agent: Agent }) => EdgeTtsConnection;
}

/** One connection to the service. */
export interface EdgeTtsConnection {
  setMetadata(voice: string, format: string, options: object): Promise<void>;
  /** Sends a text of XML. */
  toStream(text: string, options: { readonly rate: number }): { readonly audioStream: Readable };
  close(): void;
  /** What it reads messages with, as soon as it is connected; it throws for one that it does not know. */
  readonly _ws?: { onmessage: ((message: unknown) => void) | null };
}

/** The optional package. */
export const loadEdgeTts = () => neededPackage<EdgeTtsPackage>('msedge-tts', 'Edge speech needs');
