import type * as ws from 'ws';
import { neededPackage } from '../../core/needed-package.js';

/** A connection. */
export type Socket = ws.WebSocket;

/** Loads the optional package `ws`. */
export const loadWs = () => neededPackage<Pick<typeof ws, 'WebSocketServer'>>('ws', 'Nodes need');
