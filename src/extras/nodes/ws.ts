import type * as ws from 'ws';
import { neededPackage } from '../../core/needed-package.js';

/** One connection, as far as it is used. */
export type Socket = ws.WebSocket;

/** The optional package `ws`. */
export const loadWs = () => neededPackage<Pick<typeof ws, 'WebSocketServer'>>('ws', 'Nodes need');
