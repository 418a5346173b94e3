import type * as ws from 'ws';
import { ToolError } from '../../core/error.js';
import { optionalPackage } from '../../core/support/optional-package.js';

/** One connection, as far as it is used. */
export type Socket = ws.WebSocket;

/** Loads the optional package `ws`; `not_configured` where it is missing. */
export async function loadWs(): Promise<Pick<typeof ws, 'WebSocketServer'>> {
  try {
    return (await optionalPackage('ws')) as typeof ws;
  } catch (cause) {
    throw new ToolError('not_configured', 'Nodes need the package ws. Ask the user to run: npm install ws', { cause });
  }
}
