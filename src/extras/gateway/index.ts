export type { Gateway } from './gateway-tool.js';
export { gatewayTool } from './gateway-tool.js';
export { type ToolkitGatewayOptions, toolkitGateway } from './toolkit-gateway.js';
