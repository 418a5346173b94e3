export type { NodeCommand, NodeDirectory, NodeRequest, NodeView } from './directory.js';
export { type NodesToolOptions, nodesTool } from './tool.js';
export { type WebSocketNodes, type WebSocketNodesOptions, webSocketNodes } from './web-socket-server.js';
