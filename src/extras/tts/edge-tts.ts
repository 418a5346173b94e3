import type { Agent } from 'node:https';
import type { Readable } from 'node:stream';
import { ToolError } from '../../core/error.js';
import { optionalPackage } from '../../core/support/optional-package.js';

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

/** Loads the optional package; `not_configured` where it is missing. */
export async function loadEdgeTts(): Promise<EdgeTtsPackage> {
  try {
    return (await optionalPackage('msedge-tts')) as EdgeTtsPackage;
  } catch (cause) {
    const message = 'Edge speech needs the package msedge-tts. Ask the user to run: npm install msedge-tts';
    throw new ToolError('not_configured', message, { cause });
  }
}
