export type { NodeCommand, NodeDirectory, NodeRequest, NodeView } from './node-directory.js';
export { type NodesToolOptions, nodesTool } from './nodes-tool.js';
export { type WebSocketNodes, type WebSocketNodesOptions, webSocketNodes } from './web-socket-nodes.js';
